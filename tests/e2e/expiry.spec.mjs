// Tests the deadline and the time after it. The service's clock is set back, so that the service
// still waits when the time is over by all other clocks.

import { expect, test } from "./support/fixtures.mjs";

/** The service's time, and how long codes live by it, so that they end `seconds` from now. */
async function codesEndIn(controls, seconds) {
  await controls.clock(-600);
  await controls.settings({ qr_expires_in_s: 600 + seconds });
}

test("a code expires, a new one is paid, and a late payment of the first is told as a second", async ({ payer, order, checkout, sandbox, controls }) => {
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
  // A payer who paid in time presses *check now*, and reads that no payment is known, with a time without seconds.
  await payer.presses("check");
  await expect(checkout.element.getByText(/^Aún no vemos tu pago\. Última consulta: \d+:\d\d\s[ap]\.m\.$/).first()).toBeVisible();
  await expect(checkout.element.getByText("¿Dudas? Escribe a la tienda con tu número de operación.")).toBeVisible();

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

  await sandbox.drive(old, "pay", { late: true });
  await expect(checkout.heading("paidTwice")).toBeVisible({ timeout: 30_000 });
  expect(checkout.heard("checkout-result").at(-1).detail).toMatchObject({ outcome: "paid", paidTwice: true });
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
