// Orders that a shop in any language signed: its page signs the same order anew each time.

import { randomUUID } from "node:crypto";
import { expect, test } from "./support/fixtures.mjs";
import { signed } from "../support/signed-order.mjs";

/** @import { Page } from "@playwright/test" */
/** @import { PaymentCheckout } from "../../npm/element/types/element.d.ts" */

/** The page of a shop that signs its orders. @param {Page} page @param {() => string} sign */
async function shopThatSigns(page, sign) {
  await page.route("**/signed", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      body: `<!doctype html><html lang="es"><meta charset="utf-8"><title>Tienda</title><link rel="icon" href="data:,">
        <main><payment-checkout base-url="/api" methods="QR CASHCODE"></payment-checkout></main>
        <script type="module">
          document.querySelector('payment-checkout').request = { order: ${JSON.stringify(sign())} };
          await import('/element/payment-checkout.js');
        </script></html>`,
    }),
  );
  await page.goto("/signed");
}

test("a signed order is paid, and a page that signed it anew goes on with it", { tag: "@quick" }, async ({ payer, checkout, page }) => {
  const order = `S-${randomUUID()}`;
  const requests = [];
  page.on("request", (request) => request.method() === "POST" && requests.push(request.postDataJSON()));
  await shopThatSigns(page, () => signed(order));
  await payer.chooses("QR");
  const [picture, number] = [await checkout.picture(), await payer.number()];
  expect(Object.keys(requests[0]).toSorted()).toEqual(["order", "payment_method"]);

  await payer.reloads();
  await payer.seesCode();
  expect(await checkout.picture()).toBe(picture);
  // The tab knew the operation; it asked for its state and for nothing else.
  expect(requests).toHaveLength(1);

  const final = checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => element.whenFinal());
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element, order) => {
    element.request = { order };
  }, signed(order));
  await payer.pays();
  await payer.sees("paid");
  expect(await final).toMatchObject({ outcome: "paid", merchantOperationNumber: number, amount: "12990" });
  checkout.heardOnce("checkout-result");
});

test("another order is another checkout", async ({ payer, checkout, page }) => {
  await shopThatSigns(page, () => signed(`S-${randomUUID()}`));
  await payer.chooses("QR");
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element, order) => {
    element.request = { order };
  }, signed(`S-${randomUUID()}`, 500));
  await payer.sees("choosing");
});

test("a signed order leaves a method out, at once and for good", async ({ payer, checkout, page }) => {
  await shopThatSigns(page, () => signed(undefined, 12990, 600, { methods: ["CASHCODE"] }));
  const cash = checkout.element.getByRole("button", { name: "En efectivo" });
  await expect(cash).toBeVisible();
  await expect(checkout.qrButton).toHaveCount(0);
  await checkout.works();
  await expect(checkout.qrButton).toHaveCount(0);
  await payer.chooses("CASHCODE");
});

test("a payer reads what an agent takes at most, and pays by QR", async ({ payer, checkout, page, invariants }) => {
  invariants.allows(/status of 422/);
  await shopThatSigns(page, () => signed(undefined, 1_000_001));
  const cash = checkout.element.getByRole("button", { name: "En efectivo" });
  await cash.click();
  await expect(checkout.element.getByText("En efectivo puedes pagar hasta S/ 10,000.00.")).toBeVisible();
  await expect(cash).toHaveCount(0);
  await payer.chooses("QR");
});

test("who holds the token pays on a second device", async ({ payer, checkout, page, device }) => {
  const order = `S-${randomUUID()}`;
  await shopThatSigns(page, () => signed(order));
  await payer.chooses("QR");
  const second = await device();
  await shopThatSigns(second.page, () => signed(order));
  await second.chooses("QR");
  expect(await second.checkout.picture()).toBe(await checkout.picture());
  await payer.pays();
  await payer.sees("paid");
  await second.sees("paid");
});

test("an order whose time is over begins nothing, and a new signature does", async ({ payer, checkout, page, invariants }) => {
  invariants.allows(/status of 403/);
  invariants.allows(/refuses the signed order \(reason: expired\)/);
  const order = `S-${randomUUID()}`;
  await shopThatSigns(page, () => signed(order, 12990, 1));
  await checkout.qrButton.click();
  await payer.sees("refused");
  expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "refused" });
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element, order) => {
    element.request = { order };
  }, signed(order));
  await payer.presses("retry");
  await payer.chooses("QR");
});
