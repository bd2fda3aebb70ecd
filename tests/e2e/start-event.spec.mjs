// The page is asked before each attempt, and may make its order then.

import { expect, test } from "./support/fixtures.mjs";
import { ownPage } from "./support/own-page.mjs";
import { signed } from "./support/signed-order.mjs";

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

test("an order that is made at the press is paid", async ({ checkout, page, sandbox }) => {
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
  await checkout.shows("preparing");
  await page.evaluate(() => Reflect.get(globalThis, "orderIsMade")());
  await checkout.showsQr();
  await expect(checkout.amount).toHaveText(/45\.00/);
  const { merchantOperationNumber: number } = checkout.heardOnce("checkout-pending");
  await sandbox.drive(number, "pay");
  await checkout.shows("paid");
  expect(await page.evaluate(() => Reflect.get(globalThis, "final"))).toMatchObject({ outcome: "paid" });
  expect(await starts(page)).toEqual(["QR"]);
  // The choice was shown once: the order of the attempt did not start the element anew.
  expect(checkout.heard("checkout-ready")).toHaveLength(1);
});

test("a request that is set in the event itself belongs to the attempt", async ({ checkout, page }) => {
  await shop(page, `checkout.request = { order: ${JSON.stringify(signed())} };`);
  await checkout.payByQr();
  expect(await starts(page)).toEqual(["QR"]);
});

test("a repetition of a request is no new start, and a new code is one", async ({ checkout, page, sandbox, controls }) => {
  await page.clock.install();
  await shop(page, `checkout.request ??= { order: ${JSON.stringify(signed())} };`);
  await controls.faults([{ method: "POST", path: "/charges", times: 1, when: "after", kind: "drop" }]);
  await checkout.qrButton.click();
  await page.clock.runFor(5_000);
  await checkout.showsQr();
  expect(await starts(page)).toEqual(["QR"]);
  const { merchantOperationNumber: number } = checkout.heard("checkout-pending").at(-1).detail;
  await sandbox.drive(number, "decline");
  await page.clock.runFor(5_000);
  await checkout.shows("declined");
  await checkout.button("retry").click();
  await page.clock.runFor(1_000);
  await checkout.showsQr();
  expect(await starts(page)).toEqual(["QR", "QR"]);
});

test("a page that prevents the start keeps the choice", async ({ checkout, page }) => {
  const requests = [];
  page.on("request", (request) => request.method() === "POST" && requests.push(request.url()));
  await shop(page, "event.preventDefault();");
  await checkout.qrButton.click();
  await expect.poll(() => starts(page)).toEqual(["QR"]);
  await checkout.shows("choosing");
  expect(requests).toEqual([]);
});

test("the payer reads why the page refuses, as text", async ({ checkout, page }) => {
  await shop(page, "event.waitUntil(Promise.reject(new PageRefusal('Ya no quedan <b>mochilas</b>')));");
  await checkout.qrButton.click();
  await checkout.shows("pageFailed");
  await expect(checkout.element.getByText("Ya no quedan <b>mochilas</b>")).toBeVisible();
  expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "page", retryable: true, status: null });
  await checkout.button("retry").click();
  await expect.poll(() => starts(page)).toEqual(["QR", "QR"]);
});

test("an error of the page is none of the payer's words", async ({ checkout, page, invariants }) => {
  invariants.expects(/the promise of checkout-start was rejected/);
  await shop(page, "event.waitUntil(Promise.reject(new Error('TypeError: x is undefined')));");
  await checkout.qrButton.click();
  await checkout.shows("pageFailed");
  await expect(checkout.element.getByText("TypeError")).toHaveCount(0);
  expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "page" });
});

test("a page that takes too long is given up, and its late answer begins nothing", async ({ checkout, page }) => {
  await page.clock.install();
  const requests = [];
  page.on("request", (request) => request.method() === "POST" && requests.push(request.url()));
  await shop(page, "event.waitUntil(new Promise((resolve) => { globalThis.late = resolve; }));");
  await checkout.qrButton.click();
  await checkout.shows("preparing");
  await page.clock.runFor(16_000);
  await checkout.shows("pageFailed");
  await page.evaluate(() => Reflect.get(globalThis, "late")());
  await page.clock.runFor(5_000);
  await checkout.shows("pageFailed");
  expect(requests).toEqual([]);
});

test("the payer may leave while the page prepares the order", async ({ checkout, page }) => {
  await shop(page, "event.waitUntil(new Promise((resolve) => { globalThis.late = resolve; }));");
  await checkout.qrButton.click();
  await checkout.shows("preparing");
  await checkout.button("another").click();
  await checkout.shows("choosing");
  await page.evaluate(() => Reflect.get(globalThis, "late")());
  await checkout.shows("choosing");
});
