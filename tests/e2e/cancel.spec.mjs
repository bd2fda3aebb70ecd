import { expect, test } from "./support/fixtures.mjs";

/** @import { PaymentCheckout } from "../../npm/element/types/element.d.ts" */

const cancelling = (number, fault) => ({
  method: "DELETE",
  path: `/charges/demo-merchant/${number}`,
  ...fault,
});

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

test("a cancellation whose answer is lost is cancelled all the same", { tag: "@quick" }, async ({
  waiting: { payer, order, number, checkout },
  sandbox,
  controls,
}) => {
  await controls.faults(cancelling(number, { kind: "drop", when: "after" }));
  await checkout.cancel();
  await payer.sees("cancelled");
  expect(await sandbox.cancellations(order)).toMatchObject([
    { accepted: true, answered: "dropped" },
  ]);
});

test("a cancellation that is lost on the way leaves a code that can be paid", async ({
  waiting: { payer, number, checkout },
  controls,
  invariants,
}) => {
  invariants.expects(/status of 50\d .*\/api\/charges\/demo-merchant\/\d+\)/);
  await controls.faults(cancelling(number, { kind: "drop", when: "before" }));
  // The page's own call asks the payer as well.
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => element.cancel());
  await expect(checkout.question).toBeVisible();
  await payer.presses("confirm");
  await expect(checkout.text("cancelFailed")).toBeVisible();
  await payer.seesCode();
  expect(checkout.heard("checkout-result")).toEqual([]);

  // The cancellation may still arrive and give the payment back, so that it is no result yet.
  await payer.pays();
  await payer.sees("confirming");
  expect(checkout.heard("checkout-result")).toEqual([]);
  await expect(checkout.heading("paid")).toBeVisible({ timeout: 40_000 });
});
