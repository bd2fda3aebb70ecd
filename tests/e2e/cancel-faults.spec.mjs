// Cancelling while the service is in trouble.

import { expect, test } from "./support/fixtures.mjs";

const cancelling = (number, fault) => ({
  method: "DELETE",
  path: `/charges/demo-merchant/${number}`,
  ...fault,
});

test("what is paid already is not cancelled", async ({ waiting: { payer, order, number, checkout }, sandbox, controls, invariants }) => {
  // When the page's own look is not new enough, the shop's server refuses.
  invariants.allows(/status of 409 .*\/api\/charges\/demo-merchant\/\d+\)/);
  // The shop's server does not hear of the payment, so the page does not either.
  await controls.faults(
    { kind: "lose_notification", times: 99 },
    { kind: "status", status: 503, method: "GET", path: `/charges/*/${number}/*`, times: 99 },
  );
  // By now the server asks every few seconds only.
  await expect
    .poll(async () => (await sandbox.journal(order, { method: "GET" })).filter((e) => e.fault).length)
    .toBeGreaterThanOrEqual(2);
  await payer.presses("cancel");
  // From now on the service answers, and so late that the page knows nothing when the payer confirms.
  await controls.faults(
    { kind: "lose_notification", times: 99 },
    { kind: "delay", method: "GET", path: `/charges/*/${number}/*`, times: 99, ms: 4_000 },
  );
  await payer.pays();
  await payer.presses("confirm");

  await payer.sees("paid");
  expect(await sandbox.cancellations(order)).toEqual([]);
  expect(await sandbox.state(number)).toBe("AUTORIZADO");
  expect(checkout.heardOnce("checkout-result")).toMatchObject({ outcome: "paid" });
});

test("without the service's word nothing is cancelled", async ({
  waiting: { payer, order, number, checkout },
  sandbox,
  controls,
  invariants,
}) => {
  invariants.expects(/status of 503 .*\/api\/charges\/demo-merchant\/\d+\)/);
  await controls.faults({
    kind: "status",
    status: 503,
    method: "GET",
    path: `/charges/*/${number}/*`,
    times: 99,
  });
  await checkout.cancel();
  await expect(checkout.text("cancelFailed")).toBeVisible();
  await payer.seesCode();
  expect(await sandbox.cancellations(order)).toEqual([]);

  await controls.faults();
  await payer.pays();
  await payer.sees("paid");
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
  await checkout.cancel();
  await expect(checkout.text("cancelFailed")).toBeVisible();
  await payer.seesCode();
  expect(checkout.heard("checkout-result")).toEqual([]);

  // The cancellation may still arrive and give the payment back, so that it is no result yet.
  await payer.pays();
  await payer.sees("confirming");
  expect(checkout.heard("checkout-result")).toEqual([]);
  await expect(checkout.heading("paid")).toBeVisible({ timeout: 40_000 });
});

test("a cancellation that times out says nothing before the state is known", async ({ waiting: { payer, number, checkout }, controls }) => {
  // The browser gives up first, or the shop's server does.
  await controls.faults(cancelling(number, { kind: "delay", when: "after", ms: 30_000 }));
  await checkout.cancel();
  await payer.sees("cancelling");
  await expect(checkout.heading("cancelled")).toBeVisible({ timeout: 30_000 });
  expect(checkout.heardOnce("checkout-result")).toMatchObject({
    outcome: "cancelled",
    state: "CANCELADO",
  });
});
