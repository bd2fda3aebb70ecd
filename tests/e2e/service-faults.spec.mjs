// Tests a service in trouble: the payer's screens, and the requests that the service received.

import { expect, test } from "./support/fixtures.mjs";

const authorizing = (fault) => ({ method: "POST", path: "/charges", ...fault });
const asking = (number, fault) => ({
  method: "GET",
  path: `/charges/*/${number}/*`,
  times: 99,
  ...fault,
});

const LOST_ANSWERS = {
  dropped: { kind: "drop", when: "after" },
  "cut short": { kind: "cut", bytes: 40 },
  "an error": { kind: "status", status: 502, when: "after" },
  "half a page": { kind: "malformed", html: true },
};

for (const [name, fault] of Object.entries(LOST_ANSWERS)) {
  test(`an authorization whose answer is ${name} leaves one code to pay`, { tag: "@quick" }, async ({ payer, order, checkout, sandbox, controls }) => {
    await controls.faults(authorizing(fault));
    await payer.opens();
    await payer.chooses("QR");

    const operations = await order.operations();
    expect(operations).toHaveLength(2);
    const shown = operations.find(({ live }) => live).merchant_operation_number;
    const lost = operations.find(({ live }) => !live).merchant_operation_number;
    expect(await checkout.scan()).toBe((await sandbox.operation(shown)).qr_content);
    await expect.poll(() => sandbox.state(lost)).toBe("CANCELADO");
    const seen = await sandbox.authorizations(order);
    expect(seen.map(({ amount, accepted }) => ({ amount, accepted }))).toEqual([
      { amount: order.amount, accepted: true },
      { amount: order.amount, accepted: true },
    ]);

    await payer.pays(shown);
    await payer.sees("paid");
  });
}

test("a service that fails for a while costs some patience, and no second code", { tag: "@quick" }, async ({
  payer,
  order,
  sandbox,
  controls,
  invariants,
}) => {
  invariants.expects(/status of 503 .*\/api\/charges\)/);
  await controls.faults(authorizing({ kind: "status", status: 500, times: 3 }));
  await payer.opens();
  await payer.chooses("QR");
  const accepted = (await sandbox.authorizations(order)).filter((entry) => entry.accepted);
  expect(accepted).toHaveLength(1);
});

test("a rejected authorization can be tried again", { tag: "@quick" }, async ({ payer, order, checkout, sandbox, controls }) => {
  await controls.settings({ invalidate_next: 1 });
  await payer.opens();
  await checkout.qrButton.click();
  await payer.sees("invalid");
  expect(checkout.heardOnce("checkout-result")).toMatchObject({ outcome: "invalid" });
  await payer.presses("retry");
  await payer.chooses("QR");
  expect(await sandbox.authorizations(order)).toHaveLength(2);
});

test("answers that say nothing of the payment end nothing", async ({ waiting: { payer, order, number, checkout }, sandbox, controls }) => {
  const useless = [
    { kind: "malformed" },
    { kind: "malformed", html: true },
    { kind: "cut", bytes: 60 },
    { kind: "status", status: 500 },
    // The service does not let the merchant's server in.
    { kind: "status", status: 401 },
  ];
  await controls.faults(...useless.map((fault) => asking(number, { ...fault, times: 1 })));
  const failed = async () =>
    (await sandbox.journal(order, { method: "GET" })).filter((entry) => entry.fault).map((entry) => entry.fault);
  await expect.poll(failed, { timeout: 30_000 }).toEqual(useless.map(({ kind }) => kind));
  await payer.seesCode();
  expect(checkout.heard("checkout-error")).toEqual([]);
  expect(checkout.heard("checkout-result")).toEqual([]);
  await payer.pays();
  await payer.sees("paid");
});

test("a state that nobody knows is neither paid nor failed, and is not cancelled", { tag: "@quick" }, async ({
  waiting: { payer, order, number, checkout, shop },
  sandbox,
  controls,
  invariants,
}) => {
  invariants.allows(/the state "autorizado" is none .*#unknown-state\)/);
  await controls.faults(asking(number, { kind: "unknown_state", state: "autorizado" }));
  await payer.sees("confirming");
  await expect(shop.thanks).toBeHidden();
  expect(checkout.heard("checkout-result")).toEqual([]);
  expect(await order.state()).toBe("open");

  // It may be paid, so it is not cancelled.
  await checkout.cancel();
  await payer.sees("confirming");
  await expect(checkout.text("cancelFailed")).toBeVisible();
  expect(await sandbox.cancellations(order)).toEqual([]);

  await payer.pays();
  await controls.faults();
  await payer.sees("paid");
});

test("with every notification lost it is paid all the same", { tag: "@quick" }, async ({ payer, shop, controls }) => {
  await controls.faults({ kind: "lose_notification", times: 999 });
  await payer.begins();
  await payer.pays();
  await payer.sees("paid");
  await expect(shop.thanks).toBeVisible();
});
