import { expect, test } from "./support/fixtures.mjs";

test("a reload before the answer goes on with the same attempt", async ({
  shop,
  order,
  checkout,
  sandbox,
  controls,
  page,
}) => {
  await controls.faults({ kind: "delay", method: "POST", path: "/charges", ms: 6_000 });
  await shop.openOrder(order);
  await checkout.qrButton.click();
  await checkout.shows("authorizing");
  // The service has yet to deal with it.
  expect(await sandbox.authorizations(order)).toEqual([]);
  await page.reload();
  await checkout.showsQr();

  const number = await order.number();
  expect(await checkout.scan()).toBe((await sandbox.operation(number)).qr_content);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("a reload shows that it is being checked until the server answers", async ({
  shop,
  order,
  checkout,
  sandbox,
  controls,
  page,
}) => {
  await shop.openOrder(order);
  await checkout.payByQr();
  const number = await order.number();
  await controls.faults({
    kind: "delay",
    method: "GET",
    path: `/charges/*/${number}/*`,
    ms: 4_000,
    times: 2,
  });
  // The shop's server is asking the service. All clients that want the state wait with it.
  await expect.poll(() => controls.faultsLeft()).toBe(1);
  await shop.openOrder(order, "&state=AUTORIZADO&paid=1&success=true&outcome=paid");
  await checkout.shows("checking");
  await checkout.showsQr();
  expect(checkout.heard("checkout-result")).toEqual([]);

  await sandbox.drive(number, "pay");
  await page.reload();
  await checkout.shows("paid");
});
