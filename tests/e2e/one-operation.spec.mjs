// However impatient a payer is, an order has one operation.

import { expect, test } from "./support/fixtures.mjs";

test("a double click pays once", async ({ shop, order, checkout, sandbox }) => {
  await shop.openOrder(order);
  await checkout.qrButton.dblclick();
  await checkout.showsQr();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
  checkout.heardOnce("checkout-pending");
});

test("two clicks in one moment pay once", async ({ shop, order, checkout, sandbox }) => {
  await shop.openOrder(order);
  await checkout.qrButton.evaluate((/** @type {HTMLElement} */ button) => {
    button.click();
    button.click();
  });
  await checkout.showsQr();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("Enter and a click pay once", async ({ shop, order, checkout, sandbox, page }) => {
  await shop.openOrder(order);
  await checkout.qrButton.focus();
  const { x, y, width, height } = await checkout.qrButton.boundingBox();
  await Promise.all([
    page.keyboard.press("Enter"),
    page.mouse.click(x + width / 2, y + height / 2),
  ]);
  await checkout.showsQr();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("one method and then quickly the other one leave one operation to pay", async ({
  shop,
  order,
  checkout,
  sandbox,
}) => {
  await shop.openOrder(order);
  await checkout.shows("choosing");
  await checkout.element.evaluate((element) => {
    const buttons = [...element.shadowRoot.querySelectorAll("button")];
    for (const button of buttons) {
      button.click();
    }
  });
  await checkout.showsQr();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("an impatient shopper orders once", async ({ shop, checkout, page }) => {
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
  await checkout.shows("choosing");
  expect(orders).toHaveLength(1);
});

test("two tabs at once show the same code, and both hear that it is paid", async ({
  context,
  payer,
  order,
  visit,
  sandbox,
}) => {
  const other = await visit(context);
  const tabs = [payer, other];
  for (const { shop, checkout } of tabs) {
    await shop.openOrder(order);
    await checkout.shows("choosing");
  }
  await Promise.all(tabs.map(({ checkout }) => checkout.qrButton.click()));
  for (const { checkout } of tabs) {
    await checkout.showsQr();
  }
  expect(await other.checkout.picture()).toBe(await payer.checkout.picture());
  expect(await sandbox.authorizations(order)).toHaveLength(1);

  await sandbox.drive(await order.number(), "pay");
  for (const { checkout, shop } of tabs) {
    await checkout.shows("paid");
    await expect(shop.thanks).toBeVisible();
    expect(checkout.heardOnce("checkout-result")).toMatchObject({ outcome: "paid" });
  }
});

test("a second device on the same order shows the same code", async ({
  context,
  payer,
  order,
  device,
  sandbox,
}) => {
  await payer.shop.openOrder(order);
  await payer.checkout.payByQr();

  const second = await device({ storageState: { cookies: await context.cookies(), origins: [] } });
  await second.shop.openOrder(order);
  await second.checkout.showsQr();
  expect(await second.checkout.picture()).toBe(await payer.checkout.picture());
  expect(await sandbox.authorizations(order)).toHaveLength(1);

  await sandbox.drive(await order.number(), "pay");
  await payer.checkout.shows("paid");
  await second.checkout.shows("paid");
});

test("another method on a second device takes the place of the first code", async ({
  context,
  payer,
  order,
  device,
  sandbox,
}) => {
  await payer.shop.openOrder(order);
  await payer.checkout.payByQr();
  const code = await order.number();

  const second = await device({ storageState: { cookies: await context.cookies(), origins: [] } });
  await second.shop.openOrder(order);
  await second.checkout.showsQr();
  await second.checkout.leaveForAnotherWay();
  await second.checkout.payByInstallments();
  await second.lender.arrived();

  await payer.checkout.shows("cancelled");
  expect(await sandbox.state(code)).toBe("CANCELADO");
  const open = (await order.operations()).filter(({ live }) => live);
  expect(open.map(({ method_name }) => method_name)).toEqual(["INSTALLMENT"]);
});

test("a paid order is not paid again, whoever asks for it", async ({
  context,
  payer,
  order,
  device,
  sandbox,
  invariants,
}) => {
  invariants.expects(/status of 409 .*\/api\/charges/);
  const second = await device({ storageState: { cookies: await context.cookies(), origins: [] } });
  await second.shop.openOrder(order);
  await second.checkout.shows("choosing");

  await payer.shop.openOrder(order);
  await payer.checkout.payByQr();
  const number = await order.number();
  await sandbox.drive(number, "pay");
  await payer.checkout.shows("paid");

  await second.checkout.qrButton.click();
  await second.checkout.shows("paid");
  expect(second.checkout.heardOnce("checkout-result")).toMatchObject({
    outcome: "paid",
    merchantOperationNumber: number,
    resumed: true,
  });
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("somebody else sees nothing of an order and starts nothing", async ({
  payer,
  order,
  device,
  sandbox,
  invariants,
}) => {
  invariants.expects(/status of 404 .*\/api\/orders\//);
  await payer.shop.openOrder(order);
  await payer.checkout.payByQr();
  const stranger = await device();
  await stranger.shop.openOrder(order);
  await expect(stranger.shop.unknown).toBeVisible();
  await expect(stranger.checkout.element).toHaveCount(0);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});
