// The page is asked before each attempt, and may make its order then.

import { expect, test } from "./support/fixtures.mjs";
import { ownPage } from "./support/own-page.mjs";
import { signed } from "../support/signed-order.mjs";

/** @import { Page } from "@playwright/test" */

const TAG = '<payment-checkout base-url="/api" methods="QR CASHCODE"></payment-checkout>';

/** Counts the starts, and does what `script` says at each. @param {Page} page @param {string} script @param {string} [tag] */
const shop = (page, script, tag = TAG) =>
  ownPage(
    page,
    tag,
    `globalThis.starts = [];
     checkout.addEventListener('checkout-start', async (event) => {
       starts.push(event.detail.method);
       ${script}
     });`,
  );

/** @param {Page} page */
const starts = (page) => page.evaluate(() => Reflect.get(globalThis, "starts"));

test("an order that is made at the press is paid", { tag: "@quick" }, async ({ payer, checkout, page }) => {
  const order = signed(undefined, 4500);
  await shop(
    page,
    `globalThis.final = checkout.whenFinal();
     event.waitUntil((async () => {
       await new Promise((resolve) => { globalThis.orderIsMade = resolve; });
       checkout.request = { order: ${JSON.stringify(order)} };
       checkout.amount = '4500';
       checkout.currency = 'PEN';
     })());`,
  );
  await checkout.qrButton.click();
  await payer.sees("preparing");
  await page.evaluate(() => Reflect.get(globalThis, "orderIsMade")());
  await payer.seesCode();
  await expect(checkout.amount).toHaveText(/45\.00/);
  await payer.pays();
  await payer.sees("paid");
  expect(await page.evaluate(() => Reflect.get(globalThis, "final"))).toMatchObject({ outcome: "paid" });
  expect(await starts(page)).toEqual(["QR"]);
  // The choice was shown once: the order of the attempt did not start the element anew.
  expect(checkout.heard("checkout-ready")).toHaveLength(1);
});

test("an order that is made too late is paid by the next attempt, and the payer reads the error until then", async ({
  payer,
  checkout,
  page,
  invariants,
}) => {
  invariants.expects(/the promise of checkout-start was rejected/);
  await shop(
    page,
    `globalThis.final ??= checkout.whenFinal();
     if (starts.length === 1) event.waitUntil(Promise.reject(new Error('it takes too long')));`,
  );
  await checkout.qrButton.click();
  await payer.sees("pageFailed");
  await page.evaluate((order) => {
    /** @type {any} */ (document.querySelector("payment-checkout")).request = { order };
    return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }, signed());
  await payer.sees("pageFailed");
  await payer.presses("retry");
  await payer.seesCode();
  await payer.pays();
  await payer.sees("paid");
  expect(await page.evaluate(() => Reflect.get(globalThis, "final"))).toMatchObject({ outcome: "paid" });
  expect(checkout.heard("checkout-ready")).toHaveLength(1);
});

test("a page that prevents, refuses or fails begins nothing until it agrees, and what it says is shown as text", async ({
  payer,
  checkout,
  page,
  invariants,
}) => {
  invariants.expects(/the promise of checkout-start was rejected/);
  const requests = [];
  page.on("request", (request) => request.method() === "POST" && requests.push(request.url()));
  await shop(
    page,
    `[
       () => event.preventDefault(),
       () => event.waitUntil(Promise.reject(new PageRefusal('Ya no quedan <b>mochilas</b>'))),
       () => event.waitUntil(Promise.reject(new Error('TypeError: x is undefined'))),
       () => event.waitUntil(new Promise((resolve) => { globalThis.late = resolve; })),
       () => { checkout.request = { order: ${JSON.stringify(signed())} }; },
     ][starts.length - 1]();`,
  );
  await checkout.qrButton.click();
  await expect.poll(() => starts(page), "prevented").toEqual(["QR"]);
  await payer.sees("choosing");
  expect(checkout.heard("checkout-error")).toEqual([]);

  await checkout.qrButton.click();
  await payer.sees("pageFailed");
  await expect(checkout.element.getByText("Ya no quedan <b>mochilas</b>")).toBeVisible();
  expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "page", retryable: true, status: null });

  await payer.presses("retry");
  await expect(checkout.element.getByText("mochilas"), "of the attempt before").toHaveCount(0);
  await payer.sees("pageFailed");
  await expect(checkout.element.getByText("TypeError")).toHaveCount(0);
  await expect.poll(() => checkout.heard("checkout-error").at(-1)?.detail).toMatchObject({ code: "page" });

  await payer.presses("retry");
  await payer.sees("preparing");
  // The second click of a double click leaves nothing.
  await payer.presses("another");
  const seen = await page.evaluate(() => performance.now());
  await page.waitForFunction((since) => performance.now() - since > 1_000, seen);
  await payer.sees("preparing");
  await payer.presses("another");
  await payer.sees("choosing");
  await page.evaluate(() => Reflect.get(globalThis, "late")());
  await payer.sees("choosing");
  expect(requests).toEqual([]);

  // A request that is set in the event itself belongs to the attempt.
  await payer.chooses("QR");
  expect(await starts(page)).toEqual(["QR", "QR", "QR", "QR", "QR"]);
});
