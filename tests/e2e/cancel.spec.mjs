import { expect, test } from "./support/fixtures.mjs";

/** @import { PaymentCheckout } from "../../npm/types/element.d.ts" */

test("cancelling is asked about, thought over, and done", async ({
  shop,
  order,
  checkout,
  sandbox,
  page,
}) => {
  await shop.openOrder(order);
  await checkout.payByQr();
  const number = await order.number();

  await checkout.button("cancel").click();
  await expect(checkout.question).toBeVisible();
  // The code stays, so a payer who changes their mind can still pay.
  await expect(checkout.image).toBeVisible();
  await checkout.button("keep").click();
  await expect(checkout.question).toBeHidden();

  await checkout.button("cancel").click();
  await page.keyboard.press("Escape");
  await expect(checkout.question).toBeHidden();
  await checkout.showsQr();
  expect(await sandbox.state(number)).toBe("PENDIENTE");
  expect(await sandbox.cancellations(order)).toEqual([]);

  await checkout.cancel();
  await checkout.shows("cancelled");
  await expect(checkout.image).toBeHidden();
  expect(await sandbox.state(number)).toBe("CANCELADO");
  expect(checkout.heardOnce("checkout-result")).toMatchObject({
    outcome: "cancelled",
    merchantOperationNumber: number,
  });
  await expect(shop.thanks).toBeHidden();
});

test("after a cancellation the payer starts anew", async ({ shop, order, checkout, sandbox }) => {
  await shop.openOrder(order);
  await checkout.payByQr();
  const first = await order.number();
  await checkout.cancel();
  await checkout.shows("cancelled");

  await checkout.button("retry").click();
  await checkout.payByQr();
  const second = (await order.numbers()).find((number) => number !== first);
  await sandbox.drive(second, "pay");
  await checkout.shows("paid");
  expect(await sandbox.state(first)).toBe("CANCELADO");
});

test("to pay another way cancels what waited first", async ({
  shop,
  order,
  checkout,
  lender,
  sandbox,
}) => {
  await shop.openOrder(order);
  await checkout.payByQr();
  const code = await order.number();
  await checkout.leaveForAnotherWay();
  await checkout.shows("choosing");
  expect(await sandbox.state(code)).toBe("CANCELADO");
  // An operation that the payer left behind is no result of this payment.
  expect(checkout.heard("checkout-result")).toEqual([]);

  await checkout.payByInstallments();
  await lender.arrived();
  await lender.approve();
  await checkout.shows("paid");
  const seen = (await sandbox.journal(order)).filter(({ accepted }) => accepted);
  expect(seen.map(({ method, state_after }) => `${method} ${state_after}`)).toEqual([
    "POST PENDIENTE",
    "DELETE CANCELADO",
    "POST PENDIENTE",
    "POST AUTORIZADO",
  ]);
});

test("the page's own cancel() asks the payer as well", async ({ shop, order, checkout }) => {
  await shop.openOrder(order);
  await checkout.payByQr();
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => element.cancel());
  await expect(checkout.question).toBeVisible();
});
