// Pages, browsers and extensions of other people break a step, and never the checkout. Each condition of
// `support/conditions.mjs` is played with the payments that it touches. The rule of every cell: the payer reaches the end
// of the payment, or is told truly why not; there is one operation; and no checkout stops.

import { CONDITIONS } from "./support/conditions.mjs";
import { expect, test } from "./support/fixtures.mjs";
import { holdWasm } from "./support/held-answers.mjs";

/**
 * @typedef {import("./support/conditions.mjs").Condition} Condition
 * @typedef {import("./support/conditions.mjs").Story} Story
 * @typedef {import("./support/payer.mjs").Payer} Payer
 */

const STATUS = /\/api\/charges\/[^/]+\/[^/]+\/[^/]+$/;

/**
 * The payer comes back and looks again until the end is there. Two questions are a second apart, and some of these pages have
 * no timer for the second one.
 * @param {Payer} payer
 * @param {import("./support/pages/checkout.mjs").Word} end
 */
async function looksUntil(payer, end) {
  await expect(async () => {
    await payer.comesBack();
    await expect(payer.checkout.heading(end)).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

/** Pays what waits, as a payer who comes back from the wallet's app. @param {Payer} payer */
async function isPaid(payer) {
  await payer.pays();
  await looksUntil(payer, "paid");
}

/** What the payer does once the code is on the screen. @type {Record<Story, (payer: Payer) => Promise<void>>} */
const STORIES = {
  pays: isPaid,
  reconnects: async (payer) => {
    const { page } = payer;
    const lost = new Promise((resolve) => {
      page.route(STATUS, async (route) => {
        await route.abort();
        resolve(undefined);
      });
    });
    await payer.comesBack();
    await lost;
    await page.unroute(STATUS);
    await isPaid(payer);
  },
  copies: async (payer) => {
    const { checkout } = payer;
    await payer.presses("copyNumber");
    await expect(checkout.element.getByText(/^(Copiado|No se pudo copiar)/).first()).toBeAttached();
    await isPaid(payer);
  },
  cancels: async (payer) => {
    await payer.checkout.cancel();
    await looksUntil(payer, "cancelled");
  },
  saves: async (payer) => {
    const saved = payer.page.waitForEvent("download");
    await payer.checkout.saveLink.click();
    await saved;
    await isPaid(payer);
  },
  reloads: async (payer) => {
    const picture = await payer.checkout.picture();
    await payer.reloads();
    await payer.seesCode();
    expect(await payer.checkout.picture()).toBe(picture);
    await isPaid(payer);
  },
  presses: isPaid,
  borrows: async (payer) => {
    await payer.lender.approve();
    await payer.sees("paid");
  },
};

/**
 * The steps before that: most payers wait for the code, some press before the wasm is there, and some borrow.
 * @type {Partial<Record<Story, (payer: Payer) => Promise<unknown>>>}
 */
const BEGINNINGS = {
  borrows: (payer) => payer.begins({ method: "INSTALLMENT" }),
  presses: async (payer) => {
    const release = await holdWasm(payer.page);
    await payer.opens();
    await payer.checkout.qrButton.click();
    release();
    await payer.seesCode();
  },
};

for (const [name, { before, after, serve, stories, unheard, says, quick }] of Object.entries(CONDITIONS)) {
  for (const [at, story] of stories.entries()) {
    const tag = [...(quick && at === 0 ? ["@quick"] : []), ...(at > 0 ? ["@long"] : [])];
    test(`${name}: the payer ${story}`, { tag }, async ({ payer, order, checkout, page, sandbox, invariants }) => {
      if (says) invariants.expects(says);
      // The condition makes the browser complain, and a page's own errors are not the element's.
      invariants.allows(/^(?!.*stopped)/);
      if (before) await page.addInitScript(before);
      await serve?.(page);
      await (BEGINNINGS[story]?.(payer) ?? payer.begins());
      if (after) await page.evaluate(after);
      await STORIES[story](payer);
      await expect(checkout.heading("crashed")).toHaveCount(0);
      expect(await sandbox.authorizations(order)).toHaveLength(1);
      if (unheard) return;
      expect(checkout.heard("checkout-error").filter(({ detail }) => detail.code === "crash")).toEqual([]);
      const results = checkout.heard("checkout-result").map(({ detail }) => detail.outcome);
      expect(results).toHaveLength(1);
    });
  }
}
