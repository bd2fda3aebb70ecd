import { expect, test } from "./support/fixtures.mjs";

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

test("a reload shows that it is being checked until the server answers", async ({ waiting: { payer, number, checkout }, controls }) => {
  await controls.faults({
    kind: "delay",
    method: "GET",
    path: `/charges/*/${number}/*`,
    ms: 4_000,
    times: 2,
  });
  // A server of the shop is asking the service, and all who want the state from it wait. Another one may tell what is
  // stored.
  await expect.poll(() => controls.faultsLeft()).toBe(1);
  const before = checkout.heard("checkout-state").length;
  await payer.opens({ query: "&state=AUTORIZADO&paid=1&success=true&outcome=paid" });
  await payer.seesCode();
  const states = checkout.heard("checkout-state").slice(before);
  expect(states.map(({ detail }) => detail.state)).toEqual(["checking", "pending"]);
  expect(checkout.heard("checkout-result")).toEqual([]);

  await payer.pays();
  await payer.reloads();
  await payer.sees("paid");
});
