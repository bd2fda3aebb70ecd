// The merchant's own systems receive events.

import { expect, test } from "./support/fixtures.mjs";

test("a payment and its refund are told", { tag: "@quick" }, async ({ sell, signIn, sandbox, webhooks }) => {
  const sale = await sell("pay", "settle");
  await expect.poll(() => webhooks.types(sale.order)).toEqual(["order.paid"]);
  const [paid] = await webhooks.of(sale.order);
  expect(paid.data).toMatchObject({
    order_state: "paid",
    merchant_operation_number: sale.number,
    amount: sale.order.amount,
    currency: "PEN",
  });
  // The event must not contain the payer's name.
  expect(JSON.stringify(paid)).not.toContain("Quispe");

  const ana = await signIn("ana");
  await ana.look(sale.number);
  await ana.refund("10.00");
  const [{ refund_id }] = await sale.refunds();
  await sandbox.driveRefund(refund_id, "resolve");
  await expect
    .poll(() => webhooks.types(sale.order), { timeout: 40_000 })
    .toEqual(["order.paid", "refund.resolved"]);
  expect((await webhooks.of(sale.order))[1]).toMatchObject({
    data: { refund_id, refund_amount: "1000" },
  });
});
