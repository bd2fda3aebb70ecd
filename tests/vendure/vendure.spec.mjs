// The shop of `examples/vendure`: customers pay in a real browser, Vendure hears of it from the payment server, and its
// staff give money back and cancel by its Admin API.
//
// `cargo xtask test --only vendure` installs and builds the shop, and starts this.

import { readFile } from "node:fs/promises";
import { expect, test } from "./support/fixtures.mjs";
import { Lender } from "../e2e/support/pages/payment-places.mjs";

const PRICE = 13990; // the backpack and its parcel, in cents

test("a customer pays by QR, and staff give the money back", async ({ customer, admin, sandbox, program, page }) => {
  const { code, number } = await customer.getsQr();
  const waiting = await admin.order(code);
  expect(waiting).toMatchObject({ state: "ArrangingPayment", totalWithTax: PRICE });
  expect(waiting.payments).toMatchObject([{ state: "Waiting", transactionId: `${code}-1`, amount: PRICE }]);
  // A reload signs the same order anew, and the same code goes on.
  const picture = await customer.checkout.picture();
  await page.reload();
  await customer.checkout.showsQr();
  expect(await customer.checkout.picture()).toBe(picture);

  await sandbox.drive(number, "pay");
  await customer.checkout.shows("paid");
  await admin.reaches(code, "PaymentSettled");
  await page.getByRole("link", { name: "See your order" }).click();
  await expect(page.getByText("Your order is paid. Thank you!")).toBeVisible();

  const [payment] = (await admin.order(code)).payments;
  expect(payment.state).toBe("Settled");
  const refund = await admin.refund(payment, PRICE);
  expect(refund).toMatchObject({ state: "Settled", total: PRICE, metadata: { way: "reversal" } });
  expect(await sandbox.lifecycle(number)).toEqual(["REGISTRADO", "PENDIENTE", "AUTORIZADO", "CANCELADO"]);
  expect(await admin.refund(payment, PRICE)).toMatchObject({ errorCode: "REFUND_AMOUNT_ERROR" });
  // Nobody pays it again from a page that is still open.
  expect(await program.order(`${code}-1`)).toMatchObject({ outcome: "reversed", closed: true, payment_may_come: false });
});

test("an order that staff cancel has no code that can be paid", async ({ customer, admin, sandbox, invariants }) => {
  const { code, number } = await customer.getsQr();
  expect(await admin.cancel(await admin.order(code))).toEqual({ state: "Cancelled" });
  expect((await admin.order(code)).payments).toMatchObject([{ state: "Cancelled" }]);
  await customer.checkout.shows("cancelled");
  expect(await sandbox.state(number)).toBe("CANCELADO");
  await expect(sandbox.drive(number, "pay")).rejects.toThrow();
  // The page still holds the signed order, and begins nothing with it.
  invariants.allows(/status of 422/);
  await customer.checkout.button("retry").click();
  await customer.checkout.qrButton.click();
  await customer.checkout.shows("refused");
  await expect(customer.checkout.element.getByText(/^This order is closed/)).toBeVisible();
});

test("a code that the customer left ends before the cart can change", async ({ customer, admin, sandbox, page }) => {
  const { code, number } = await customer.getsQr();
  await page.getByRole("button", { name: "Change the cart" }).click();
  await customer.checksOut();
  expect(await sandbox.state(number)).toBe("CANCELADO");
  await customer.checkout.payByQr();
  const second = customer.number();
  expect(second).not.toBe(number);
  await sandbox.drive(second, "pay");
  await customer.checkout.shows("paid");
  await admin.reaches(code, "PaymentSettled");
  expect((await admin.order(code)).payments).toMatchObject([
    { state: "Cancelled", transactionId: `${code}-1` },
    { state: "Settled", transactionId: `${code}-2` },
  ]);
});

test("an order that was paid a moment ago is not cancelled as if it were not", async ({
  customer,
  admin,
  sandbox,
  program,
}) => {
  const { code, number } = await customer.getsQr();
  const order = await admin.order(code);
  await sandbox.drive(number, "pay");
  await expect.poll(async () => (await program.order(`${code}-1`)).outcome).toBe("paid");
  // Vendure may have heard of it by now, or not; it ends as paid either way.
  await admin.press("cancel", order.payments[0]);
  await admin.reaches(code, "PaymentSettled");
  expect((await admin.order(code)).payments).toMatchObject([{ state: "Settled" }]);
});

test("staff settle nothing that is not paid", async ({ customer, admin }) => {
  const { code } = await customer.getsQr();
  const [payment] = (await admin.order(code)).payments;
  const refused = await admin.press("settle", payment);
  expect(refused.paymentErrorMessage).toBe("The payment server says that this payment is waiting.");
  expect(await admin.order(code)).toMatchObject({ state: "ArrangingPayment", payments: [{ state: "Waiting" }] });
});

test("a payment that arrives for a cancelled order goes back by itself", async ({ customer, admin, sandbox }) => {
  const { code, number } = await customer.getsQr();
  await admin.cancel(await admin.order(code));
  await sandbox.drive(number, "pay", { late: true });
  await expect.poll(() => admin.notes(code)).toEqual([
    expect.stringContaining("arrived after its code had been left, and goes back"),
  ]);
  expect(await sandbox.lifecycle(number)).toEqual(["REGISTRADO", "PENDIENTE", "CANCELADO", "AUTORIZADO", "CANCELADO"]);
  expect((await admin.order(code)).state).toBe("Cancelled");
});

test("a cancellation that gets lost on its way cancels the order here, and the payment server goes on with it", async ({
  customer,
  admin,
  sandbox,
  program,
}) => {
  const { code, number } = await customer.getsQr();
  await sandbox.controls.faults({ method: "DELETE", path: `/charges/shop-merchant/${number}`, kind: "drop", when: "before" });
  expect(await admin.cancel(await admin.order(code))).toEqual({ state: "Cancelled" });
  expect((await admin.order(code)).payments).toMatchObject([{ state: "Cancelled", metadata: { end: "closing" } }]);
  expect(await program.order(`${code}-1`)).toMatchObject({ closed: true, payment_may_come: true });
});

test("a part goes back by a refund, which ends later", async ({ customer, admin, sandbox, page, program }) => {
  await customer.choosesProduct();
  const code = await customer.checksOut();
  await customer.checkout.payByInstallments();
  const lender = new Lender(page);
  await lender.arrived();
  await lender.approve();
  await page.waitForURL(`**/shop/?order=${code}**`);
  await admin.reaches(code, "PaymentSettled");
  await page.reload();
  await expect(page.getByText("Your order is paid. Thank you!")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/shop/\\?order=${code}$`));
  const [{ merchant_operation_number: number }] = (await program.order(`${code}-1`)).operations;
  const [payment] = (await admin.order(code)).payments;

  // A reversal gives everything back or nothing, and there is no refund yet.
  const refused = await admin.refund(payment, 1000);
  expect(refused).toMatchObject({ state: "Failed", metadata: { refusal: "return-by-hand" } });
  await sandbox.drive(number, "settle");
  const one = await admin.refund(payment, 1000);
  const two = await admin.refund(payment, 2000);
  expect([one, two]).toMatchObject([{ state: "Pending" }, { state: "Pending" }]);
  const order = /** @type {any} */ ({ numbers: () => [number] });
  const requests = await sandbox.journal(order, { method: "POST", path: /^\/refund$/ });
  const sent = requests.flatMap(({ refunds }) => refunds);
  expect(sent.map(({ amount }) => amount)).toEqual(["1000", "2000"]);
  for (const { refund_id } of sent) await sandbox.driveRefund(refund_id, "process");
  await sandbox.driveRefund(sent[0].refund_id, "resolve");
  await sandbox.driveRefund(sent[1].refund_id, "reject");
  const states = ({ payments }) => payments[0].refunds.map(({ total, state }) => `${total} ${state}`);
  await expect.poll(async () => states(await admin.order(code))).toEqual([
    `1000 Failed`,
    `1000 Settled`,
    `2000 Failed`,
  ]);
});

test("a refund whose answer gets lost on its way is made once", async ({ customer, admin, sandbox }) => {
  const { code, number } = await customer.getsQr();
  await sandbox.drive(number, "pay");
  await admin.reaches(code, "PaymentSettled");
  const [payment] = (await admin.order(code)).payments;
  // The service gives the money back, and its answer never arrives: the server asks what became of it.
  await sandbox.controls.faults({ method: "DELETE", times: 1, when: "after", kind: "drop" });
  await admin.refund(payment, PRICE);
  await admin.reaches(code, "Settled", ({ payments }) => payments[0].refunds[0]?.state);
  expect(await sandbox.lifecycle(number)).toEqual(["REGISTRADO", "PENDIENTE", "AUTORIZADO", "CANCELADO"]);
});

test("only a genuine event about the very order settles it, and once", async ({
  customer,
  admin,
  sandbox,
  events,
  program,
}) => {
  const { code, number } = await customer.getsQr();
  const data = { order_id: `${code}-1`, order_state: "paid", amount: String(PRICE), currency: "PEN" };
  expect(await events.send(data, { key: Buffer.alloc(32) })).toBe(401);
  expect(await events.send(data, { seconds: -600 })).toBe(401);
  expect(await events.send(data, { sent: "{}" })).toBe(401);
  expect(await events.send({ ...data, order_id: "none-1" })).toBe(404);
  expect(await events.send({ ...data, amount: "1" })).toBe(422);
  expect(await events.send({ ...data, currency: "USD" })).toBe(422);
  // Whoever has the secret, and no payment: the payment server is asked, and says that nothing is paid.
  expect(await events.send(data)).toBe(500);
  expect((await admin.order(code)).state).toBe("ArrangingPayment");

  await sandbox.drive(number, "pay");
  await admin.reaches(code, "PaymentSettled");
  const told = (await program.events(`${code}-1`)).filter(({ type }) => type === "order.paid");
  expect(told).toHaveLength(1);
  const before = await admin.order(code);
  const { id } = told[0];
  expect(await events.send(data, { id })).toBe(204);
  expect(await events.send(data)).toBe(204);
  expect(await events.send(data, { type: "order.of_tomorrow" })).toBe(204);
  expect(await admin.order(code)).toEqual(before);
});

test("what is paid while the shop is down is known to it afterwards", async ({ customer, admin, sandbox, program, stack }) => {
  const { code, number } = await customer.getsQr();
  await stack.isDown(async () => {
    await sandbox.drive(number, "pay");
    await customer.checkout.shows("paid");
    await expect.poll(async () => (await program.order(`${code}-1`)).outcome).toBe("paid");
  });
  await admin.reaches(code, "PaymentSettled");
});

test("no log has a secret", async ({ stack }) => {
  for (const file of stack.logs) {
    const log = await readFile(file, "utf8");
    expect(log).toContain("The shop is open");
    for (const secret of stack.secrets) expect(log.includes(secret)).toBe(false);
  }
});
