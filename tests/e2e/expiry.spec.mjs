// Tests the deadline and the time after it. The service's clock is set back, so that the service
// still waits when the time is over by all other clocks.

import { expect, test } from "./support/fixtures.mjs";

/** The service's time, and how long codes live by it, so that they end `seconds` from now. */
async function codesEndIn(controls, seconds) {
  await controls.clock(-600);
  await controls.settings({ qr_expires_in_s: 600 + seconds });
}

test("a code expires, and a new one is paid", async ({ payer, order, checkout, sandbox, controls }) => {
  await codesEndIn(controls, 8);
  const { number: old } = await payer.begins();
  const picture = await checkout.picture();
  expect(await checkout.secondsLeft()).toBeLessThanOrEqual(8);

  await payer.sees("lastCheck");
  await expect(checkout.image).toBeHidden();
  // A clock that ran out is a screen and no result.
  expect(checkout.heard("checkout-result")).toEqual([]);

  await controls.clock(0);
  await payer.sees("expired");
  expect(checkout.heardOnce("checkout-result")).toMatchObject({
    outcome: "expired",
    state: "EXPIRADO",
    merchantOperationNumber: old,
  });

  await controls.settings({ qr_expires_in_s: 900 });
  await payer.presses("newQr");
  await payer.seesCode();
  expect(await checkout.picture()).not.toBe(picture);
  const fresh = await order.numberAfter(old);
  expect(await checkout.scan()).toBe((await sandbox.operation(fresh)).qr_content);
  await payer.pays(fresh);
  await payer.sees("paid");
  expect(checkout.heard("checkout-result").at(-1).detail).toMatchObject({
    outcome: "paid",
    merchantOperationNumber: fresh,
    superseded: [old],
  });
});

test("a payment in the last seconds is a payment", async ({ payer, checkout, controls }) => {
  await codesEndIn(controls, 8);
  await payer.begins();
  await expect.poll(() => checkout.secondsLeft(), { intervals: [50] }).toBeLessThanOrEqual(2);
  await payer.pays();
  await payer.sees("paid");
  expect(checkout.heardOnce("checkout-result")).toMatchObject({ outcome: "paid", superseded: [] });
});

test("a payment a second after the deadline is a payment", { tag: "@quick" }, async ({ payer, checkout, controls }) => {
  await codesEndIn(controls, -5);
  await payer.opens();
  await checkout.qrButton.click();
  await payer.sees("lastCheck");
  await payer.pays();
  await payer.sees("paid");
  expect(checkout.heardOnce("checkout-result")).toMatchObject({ outcome: "paid", superseded: [] });
});

test("a late payment withdraws the new code, and both numbers are told", async ({ payer, order, checkout, sandbox, controls }) => {
  // The service still waits, and answers that this code expired minutes ago.
  const ended = { unix_time: Math.floor(Date.now() / 1000) - 300 };
  const replaced = { kind: "replace", path: "/charges", value: ended };
  const pointer = "/transaction/expiration_date";
  const asked = (number) => ({
    ...replaced,
    method: "GET",
    path: `/charges/*/${number}/*`,
    times: 999,
    pointer: "/operation/transactions/0/expiration_date",
  });
  // biome-ignore lint/suspicious/noThenProperty: the sandbox reads it; nothing awaits it
  await controls.faults({ ...replaced, method: "POST", pointer, then: [asked("*")] });
  await payer.opens();
  await checkout.qrButton.click();
  await payer.sees("overdue");
  const old = await order.number();
  await controls.faults(asked(old));
  expect(checkout.heard("checkout-result")).toEqual([]);
  expect(await sandbox.state(old)).toBe("PENDIENTE");

  await payer.presses("newQr");
  await payer.seesCode();
  const fresh = await order.numberAfter(old);
  expect(await sandbox.state(old)).toBe("CANCELADO");

  await sandbox.drive(old, "pay", { late: true });
  await expect(checkout.heading("paid")).toBeVisible({ timeout: 30_000 });
  await expect(checkout.image).toBeHidden();
  const results = checkout.heard("checkout-result").map(({ detail }) => detail);
  expect(results).toMatchObject([
    { outcome: "paid", merchantOperationNumber: old, superseded: [fresh], paidTwice: false },
  ]);
  await expect.poll(() => sandbox.state(fresh)).toBe("CANCELADO");
  expect(await sandbox.state(old)).toBe("AUTORIZADO");
  const cancelled = await sandbox.cancellations(order);
  expect(cancelled.map((entry) => entry.merchant_operation_number)).toEqual([old, fresh]);
});

test("two payments of one order are told as two", async ({ waiting: { payer, order, number: old, checkout }, sandbox }) => {
  await sandbox.drive(old, "expire");
  await payer.sees("expired");
  await payer.presses("newQr");
  await payer.seesCode();
  const fresh = await order.numberAfter(old);
  await payer.pays(fresh);
  await payer.sees("paid");

  await sandbox.drive(old, "pay", { late: true });
  await expect(checkout.heading("paidTwice")).toBeVisible({ timeout: 30_000 });
  expect(checkout.heard("checkout-result").at(-1).detail).toMatchObject({
    outcome: "paid",
    paidTwice: true,
  });
});
