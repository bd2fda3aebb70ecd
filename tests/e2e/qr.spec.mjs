import { expect, test } from "./support/fixtures.mjs";
import { Order } from "./support/order.mjs";

test("a payer walks from the shelf to the thanks, scanning the code with a phone", { tag: "@quick" }, async ({
  payer,
  shop,
  checkout,
  context,
  device,
  sandbox,
}) => {
  await shop.open();
  await shop.add("Mochila de telar");
  await shop.add("Café de altura, 250 g");
  await shop.fillIn({ first: "Rosa", last: "Quispe", email: "rosa@ejemplo.pe" });
  await shop.payButton.click();
  await payer.sees("choosing");
  await payer.chooses("QR");

  const order = new Order(context, shop.orderId(), "16280");
  const number = await order.number();
  expect(await order.state()).toBe("open");
  const { qr_content } = await sandbox.operation(number);
  const scanned = await checkout.scan();
  expect(scanned).toBe(qr_content);
  // The payer has not paid, so the shop must not say thanks.
  await expect(shop.thanks).toBeHidden();

  const { phone } = await device();
  await phone.scan(scanned);
  await expect(phone.operation(number)).toBeVisible();
  await expect(phone.amount("S/ 162.80")).toBeVisible();
  await phone.pay();

  await payer.sees("paid");
  await expect(shop.thanks).toBeVisible();
  expect(await order.state()).toBe("paid");

  const { transactionId, ...pending } = checkout.heardOnce("checkout-pending");
  expect(transactionId).toEqual(expect.any(String));
  expect(pending).toMatchObject({
    merchantOperationNumber: number,
    method: "QR",
    state: "PENDIENTE",
    amount: "16280",
    currency: "PEN",
  });
  expect(checkout.heardOnce("checkout-result")).toEqual({
    outcome: "paid",
    previous: null,
    superseded: [],
    resumed: false,
    paidTwice: false,
    merchantCode: "demo-merchant",
    merchantOperationNumber: number,
    transactionId,
    method: "QR",
    state: "AUTORIZADO",
    amount: "16280",
    currency: "PEN",
  });
  expect(checkout.heard("checkout-error")).toEqual([]);
  expect(await shop.stored("payment-checkout")).toEqual([]);
  expect(JSON.stringify(await shop.stored())).not.toMatch(/rosa|quispe|ejemplo/i);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("a code that the wallet rejects is declined, and another one is paid", { tag: "@quick" }, async ({
  waiting: { payer, order, number: first, checkout, shop },
  sandbox,
}) => {
  await sandbox.drive(first, "decline");
  await payer.sees("declined");
  await expect(shop.thanks).toBeHidden();

  await payer.presses("newQr");
  await payer.seesCode();
  await expect.poll(async () => (await order.numbers()).length).toBe(2);
  const second = await order.numberAfter(first);
  expect((await checkout.scan())).toBe((await sandbox.operation(second)).qr_content);
  await payer.pays(second);
  await payer.sees("paid");

  const results = checkout.heard("checkout-result").map(({ detail }) => detail);
  expect(results).toMatchObject([
    { outcome: "declined", merchantOperationNumber: first },
    { outcome: "paid", merchantOperationNumber: second, superseded: [first] },
  ]);
  expect(await sandbox.authorizations(order)).toHaveLength(2);
});

test("a payment that the service gives back is shown to whoever looks again", { tag: "@quick" }, async ({
  waiting: { payer, order, number, checkout, shop },
  sandbox,
}) => {
  await payer.pays(number);
  await expect(shop.thanks).toBeVisible();
  await sandbox.drive(number, "reverse");
  await expect.poll(() => order.state()).not.toBe("paid");

  await payer.comesBack();
  await payer.sees("reversed");
  await expect(shop.thanks).toBeHidden();
  const results = checkout.heard("checkout-result").map(({ detail }) => detail);
  expect(results).toMatchObject([
    { outcome: "paid", previous: null },
    { outcome: "reversed", previous: "paid", merchantOperationNumber: number },
  ]);

  // Any device whose page says so has a way on: the order is open again.
  await payer.reloads();
  await payer.sees("reversed");
  await payer.presses("retry");
  await payer.chooses("QR");
  const second = await order.numberAfter(number);
  await payer.pays(second);
  await expect(shop.thanks).toBeVisible();
});
