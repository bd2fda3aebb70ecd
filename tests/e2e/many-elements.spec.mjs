// Many elements on one page, each with an order of its own. By HTTP/1.1 a browser has six connections to a host.

import { expect, test } from "./support/fixtures.mjs";
import { placeOrder } from "./support/order.mjs";
import { ownPage } from "./support/own-page.mjs";

const ELEMENTS = 8;

/** The questions that the server may hold now, and the most that there were at once. @param {import("@playwright/test").Page} page */
function heldOn(page) {
  /** @type {Set<import("@playwright/test").Request>} */
  const held = new Set();
  const seen = { held, most: 0 };
  page.on("request", (request) => {
    if (!request.headers().prefer) return;
    held.add(request);
    seen.most = Math.max(seen.most, held.size);
  });
  page.on("requestfinished", (request) => held.delete(request));
  page.on("requestfailed", (request) => held.delete(request));
  return seen;
}

/** How long the page's own request takes, in milliseconds. @param {import("@playwright/test").Page} page */
const ownRequest = (page) =>
  page.evaluate(async () => {
    const began = performance.now();
    await (await fetch("/api/healthz", { cache: "no-store" })).text();
    return performance.now() - began;
  });

test("eight waiting codes on one page leave its own requests alone, and a payment of any is seen", { tag: "@quick" }, async ({
  checkout,
  page,
  context,
  sandbox,
}) => {
  /** @type {import("./support/order.mjs").Order[]} */
  const orders = [];
  // One after the other, so that all are of one session.
  for (let at = 0; at < ELEMENTS; at += 1) orders.push(await placeOrder(context));
  const held = heldOn(page);
  await ownPage(
    page,
    '<payment-checkout base-url="/api" methods="QR"></payment-checkout>'.repeat(ELEMENTS),
    `const ids = ${JSON.stringify(orders.map(({ id }) => id))};
     for (const [at, element] of document.querySelectorAll('payment-checkout').entries()) element.request = { order_id: ids[at] };`,
  );
  const elements = Array.from({ length: ELEMENTS }, (_, at) => checkout.at(page.locator("payment-checkout").nth(at)));
  for (const element of elements) await element.payByQr();
  await expect.poll(() => held.held.size).toBe(2);
  for (let round = 0; round < 10; round += 1) expect(await ownRequest(page)).toBeLessThan(1_000);
  // One that was held, most likely, and one that was not.
  for (const at of [0, ELEMENTS - 1]) {
    await sandbox.drive(await orders[at].number(), "pay");
    await elements[at].shows("paid");
  }
  expect(held.most).toBe(2);
});
