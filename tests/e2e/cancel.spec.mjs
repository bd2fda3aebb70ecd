import { expect, test } from "./support/fixtures.mjs";

/** @import { PaymentCheckout } from "../../npm/types/element.d.ts" */

test("cancelling is asked about, thought over, and done", { tag: "@quick" }, async ({ waiting: { payer, order, number, checkout, shop, page }, sandbox }) => {
  await payer.presses("cancel");
  await expect(checkout.question).toBeVisible();
  // The code stays, so a payer who changes their mind can still pay.
  await expect(checkout.image).toBeVisible();
  await payer.presses("keep");
  await expect(checkout.question).toBeHidden();

  await payer.presses("cancel");
  await page.keyboard.press("Escape");
  await expect(checkout.question).toBeHidden();
  await payer.seesCode();
  expect(await sandbox.state(number)).toBe("PENDIENTE");
  expect(await sandbox.cancellations(order)).toEqual([]);

  await checkout.cancel();
  await payer.sees("cancelled");
  await expect(checkout.image).toBeHidden();
  expect(await sandbox.state(number)).toBe("CANCELADO");
  expect(checkout.heardOnce("checkout-result")).toMatchObject({
    outcome: "cancelled",
    merchantOperationNumber: number,
  });
  await expect(shop.thanks).toBeHidden();
});

test("after a cancellation the payer starts anew", async ({ waiting: { payer, order, number: first, checkout }, sandbox }) => {
  await checkout.cancel();
  await payer.sees("cancelled");

  await payer.presses("retry");
  await payer.chooses("QR");
  const second = await order.numberAfter(first);
  await payer.pays(second);
  await payer.sees("paid");
  expect(await sandbox.state(first)).toBe("CANCELADO");
});

test("to pay another way cancels what waited first", { tag: "@quick" }, async ({ waiting: { payer, order, number: code, checkout }, sandbox }) => {
  await checkout.leaveForAnotherWay();
  await payer.sees("choosing");
  expect(await sandbox.state(code)).toBe("CANCELADO");
  // An operation that the payer left behind is no result of this payment.
  expect(checkout.heard("checkout-result")).toEqual([]);

  await payer.chooses("INSTALLMENT");
  await payer.lender.approve();
  await payer.sees("paid");
  const seen = (await sandbox.journal(order)).filter(({ accepted }) => accepted);
  expect(seen.map(({ method, state_after }) => `${method} ${state_after}`)).toEqual([
    "POST PENDIENTE",
    "DELETE CANCELADO",
    "POST PENDIENTE",
    "POST AUTORIZADO",
  ]);
});

test("the page's own cancel() asks the payer as well", async ({ waiting: { checkout } }) => {
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => element.cancel());
  await expect(checkout.question).toBeVisible();
});
