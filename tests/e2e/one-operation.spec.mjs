// However impatient a payer is, an order has one operation.

import { expect, test } from "./support/fixtures.mjs";

test("a double click pays once", { tag: "@quick" }, async ({ payer, order, checkout, sandbox }) => {
  await payer.opens();
  await checkout.qrButton.dblclick();
  await payer.seesCode();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
  checkout.heardOnce("checkout-pending");
});

test("an impatient shopper orders once", { tag: "@quick" }, async ({ payer, shop, page }) => {
  const orders = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/orders")) {
      orders.push(request);
    }
  });
  await shop.open();
  await shop.add("Chompa de alpaca");
  await shop.fillIn({ first: "Rosa", last: "Quispe", email: "rosa@ejemplo.pe" });
  await shop.payButton.dblclick();
  await payer.sees("choosing");
  expect(orders).toHaveLength(1);
});

test("a second device on the same order shows the same code", { tag: "@quick" }, async ({ waiting: { payer, order }, device, sandbox }) => {
  const second = await device(await payer.session());
  await second.opens({ order });
  await second.seesCode();
  expect(await second.checkout.picture()).toBe(await payer.checkout.picture());
  expect(await sandbox.authorizations(order)).toHaveLength(1);

  await payer.pays();
  await payer.sees("paid");
  await second.sees("paid");
});

test("somebody else sees nothing of an order and starts nothing", { tag: "@quick" }, async ({ waiting: { order }, device, sandbox, invariants }) => {
  invariants.expects(/status of 404 .*\/api\/orders\//);
  const stranger = await device();
  await stranger.opens({ order });
  await expect(stranger.shop.unknown).toBeVisible();
  await expect(stranger.checkout.element).toHaveCount(0);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});
