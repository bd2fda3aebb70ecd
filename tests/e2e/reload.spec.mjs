import { expect, test } from "./support/fixtures.mjs";

test("a reload with the code on the screen goes on with it", { tag: "@quick" }, async ({ waiting: { payer, order, checkout }, sandbox }) => {
  const picture = await checkout.picture();
  const left = await checkout.secondsLeft();

  await payer.reloads();
  await payer.seesCode();
  expect(await checkout.picture()).toBe(picture);
  // The countdown goes on; it does not begin anew.
  expect(await checkout.secondsLeft()).toBeLessThanOrEqual(left);

  await payer.pays();
  await payer.sees("paid");
  expect(await sandbox.authorizations(order)).toHaveLength(1);
  checkout.heardOnce("checkout-result");
});

test("whoever closed the tab goes on with the same code", { tag: "@quick" }, async ({ waiting: { payer, order }, sandbox }) => {
  const picture = await payer.checkout.picture();
  await payer.page.close();

  const next = await payer.tab();
  await next.opens();
  await next.seesCode();
  expect(await next.checkout.picture()).toBe(picture);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("a reload before the answer goes on with the same attempt", async ({ payer, order, checkout, sandbox, controls }) => {
  await controls.faults({ kind: "delay", method: "POST", path: "/charges", ms: 6_000 });
  await payer.opens();
  await checkout.qrButton.click();
  await payer.sees("authorizing");
  // The service has yet to deal with it.
  expect(await sandbox.authorizations(order)).toEqual([]);
  await payer.reloads();
  await payer.seesCode();

  const number = await order.number();
  expect(await checkout.scan()).toBe((await sandbox.operation(number)).qr_content);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});
