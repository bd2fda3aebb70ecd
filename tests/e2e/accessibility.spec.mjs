// The element is accessible: axe finds nothing, and nothing needs a mouse.

import { findings, tabTo } from "./support/accessibility.mjs";
import { expect, test } from "./support/fixtures.mjs";

/** @import { Payer } from "./support/payer.mjs" */

/**
 * Brings the element to a screen, where `drive` moves the operation on at the service.
 * @type {Record<string, (payer: Payer, drive: (step: string) => Promise<void>) => Promise<void>>}
 */
const SCREENS = {
  choosing: (payer) => payer.sees("choosing"),
  "the code": (payer) => payer.chooses("QR"),
  "the question": async (payer) => {
    await payer.chooses("QR");
    await payer.presses("cancel");
    await expect(payer.checkout.question).toBeVisible();
  },
  "the lender": async ({ checkout }) => {
    await checkout.shows("choosing");
    await checkout.element.evaluate((element) =>
      element.addEventListener("checkout-redirect", (event) => event.preventDefault(), {
        once: true,
      }),
    );
    await checkout.payByInstallments();
    await expect(checkout.continueLink).toBeVisible();
  },
  paid: async (payer) => {
    await payer.chooses("QR");
    await payer.pays();
    await payer.sees("paid");
  },
  declined: async (payer, drive) => {
    await payer.chooses("QR");
    await drive("decline");
    await payer.sees("declined");
  },
  expired: async (payer, drive) => {
    await payer.chooses("QR");
    await drive("expire");
    await payer.sees("expired");
  },
  cancelled: async (payer) => {
    await payer.chooses("QR");
    await payer.checkout.cancel();
    await payer.sees("cancelled");
  },
};

for (const [name, reach] of Object.entries(SCREENS)) {
  test(`axe finds nothing on the screen of ${name}`, async ({ payer, order, page, sandbox }) => {
    await payer.opens();
    await reach(payer, async (step) => sandbox.drive(await order.number(), step));
    expect(await findings(page, "payment-checkout")).toEqual([]);
  });
}

test("without a mouse: choose, look, think it over, cancel, choose again, pay", async ({ payer, order, checkout, page }) => {
  await payer.opens();
  await payer.sees("choosing");
  await tabTo(page, checkout.qrButton);
  await page.keyboard.press("Enter");
  await payer.seesCode();
  await expect(checkout.heading("qr")).toBeFocused();
  const first = await order.number();

  await tabTo(page, checkout.button("cancel"));
  await page.keyboard.press("Enter");
  await expect(checkout.warning).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(checkout.question).toBeHidden();
  await expect(checkout.button("cancel")).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(checkout.warning).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(checkout.button("keep")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(checkout.button("confirm")).toBeFocused();
  await page.keyboard.press("Enter");
  await payer.sees("cancelled");
  await expect(checkout.heading("cancelled")).toBeFocused();

  await tabTo(page, checkout.button("retry"));
  await page.keyboard.press("Enter");
  await payer.sees("choosing");
  await expect(checkout.heading("choosing")).toBeFocused();
  await tabTo(page, checkout.qrButton);
  await page.keyboard.press("Space");
  await payer.seesCode();
  const second = await order.numberAfter(first);
  await payer.pays(second);
  await payer.sees("paid");
  await expect(checkout.heading("paid")).toBeFocused();
});

test("the focus arrives though something else changes in the same moment", async ({ waiting: { checkout } }) => {
  await checkout.button("cancel").focus();
  await checkout.button("cancel").evaluate((/** @type {HTMLElement} */ button) => {
    const { host } = /** @type {ShadowRoot} */ (button.getRootNode());
    const element = /** @type {import("../../npm/element/types/element.d.ts").PaymentCheckout} */ (host);
    button.click();
    element.setAttribute("merchant-name", "Retama");
    element.cancel();
  });
  await expect(checkout.warning).toBeFocused();
});

test("the focus stays with whoever is elsewhere on the page", async ({ waiting: { payer, shop } }) => {
  await shop.outside.focus();
  await payer.pays();
  await payer.sees("paid");
  await expect(shop.outside).toBeFocused();
});

test("the result is said once to whoever does not see it", async ({ waiting: { payer, checkout, shop } }) => {
  const said = checkout.element.getByRole("status");
  await shop.outside.focus();
  await payer.pays();
  await expect(said.filter({ hasText: "¡Pago confirmado!" })).toHaveCount(1);
  await expect(checkout.element.getByRole("alert")).toHaveCount(0);
});

test("the time that is left is said at a few marks, once each", async ({ payer, checkout, page, context, invariants }) => {
  invariants.allows(/ERR_INTERNET_DISCONNECTED/);
  await page.clock.install();
  await payer.begins();
  await checkout.element.evaluate((element) => {
    const status = element.shadowRoot.querySelector("[role=status]");
    globalThis.said = [];
    const note = () => status.textContent && globalThis.said.push(status.textContent);
    new MutationObserver(note).observe(status, { childList: true, characterData: true, subtree: true });
  });
  // Without a server that would set the clock right.
  await context.setOffline(true);
  await expect(checkout.text("offline")).toBeVisible();
  for (let minute = 0; minute < 15; minute += 1) {
    await page.clock.runFor(60_000);
  }
  await payer.sees("lastCheck");
  const said = await page.evaluate(() => globalThis.said);
  const marks = said.filter((text) => /^Tienes /.test(text));
  expect(marks).toEqual([
    "Tienes 10 minutos para pagar.",
    "Tienes 5 minutos para pagar.",
    "Tienes 2 minutos para pagar.",
    "Tienes 1 minuto para pagar.",
    "Tienes 30 segundos para pagar.",
    "Tienes 10 segundos para pagar.",
  ]);
});

test("the headings have the level that the page gives, and 2 without one or with a wrong one", async ({
  waiting: { payer, checkout, page },
  invariants,
}) => {
  invariants.allows(/heading-level/);
  const { element, words } = checkout;
  for (const [given, level, below] of /** @type {[any, number, number][]} */ ([
    [1, 1, 2],
    [3, 3, 4],
    [4, 4, 5],
    [5, 5, 6],
    [6, 6, 6],
    [7, 2, 3],
    ["0", 2, 3],
    ["second", 2, 3],
    [2, 2, 3],
    [null, 2, 3],
  ])) {
    await element.evaluate((/** @type {any} */ element, level) => {
      element.headingLevel = level;
    }, given);
    await expect(element.getByRole("heading", { name: words.qr, level })).toBeVisible();
    await payer.presses("cancel");
    await expect(element.getByRole("heading", { name: words.ask, level: below })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(checkout.question).toBeHidden();
    // The same size at every level.
    await expect(element.getByRole("heading")).toHaveCSS("font-size", "22px");
    await expect(element.getByRole("heading")).toHaveCSS("margin", "0px");
  }
  await expect(checkout.button("cancel")).toBeFocused();
});

test("the message of a wasm that cannot be loaded has its heading at that level too", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/could not be loaded/);
  invariants.expects(/ERR_FAILED/);
  await page.addInitScript(() => {
    addEventListener("DOMContentLoaded", () => {
      new MutationObserver(() => {
        document.querySelector("payment-checkout:not([heading-level])")?.setAttribute("heading-level", "4");
      }).observe(document, { childList: true, subtree: true });
    });
  });
  await page.route("**/*.wasm", (route) => route.abort());
  await payer.opens();
  const { element, words } = checkout;
  await expect(element.getByRole("heading", { name: words.loadFailed, level: 4 })).toBeVisible();
});
