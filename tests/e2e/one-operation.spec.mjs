// However impatient a payer is, an order has one operation.

import { expect, test } from "./support/fixtures.mjs";

test("a double click pays once", { tag: "@quick" }, async ({ payer, order, checkout, sandbox }) => {
  await payer.opens();
  await checkout.qrButton.dblclick();
  await payer.seesCode();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
  checkout.heardOnce("checkout-pending");
});

test("two clicks in one moment pay once", async ({ payer, order, checkout, sandbox }) => {
  await payer.opens();
  await checkout.qrButton.evaluate((/** @type {HTMLElement} */ button) => {
    button.click();
    button.click();
  });
  await payer.seesCode();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("Enter and a click pay once", async ({ payer, order, checkout, page, sandbox }) => {
  await payer.opens();
  await checkout.qrButton.focus();
  const { x, y, width, height } = await checkout.qrButton.boundingBox();
  await Promise.all([
    page.keyboard.press("Enter"),
    page.mouse.click(x + width / 2, y + height / 2),
  ]);
  await payer.seesCode();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("one method and then quickly the other one leave one operation to pay", async ({ payer, order, checkout, sandbox }) => {
  await payer.opens();
  await payer.sees("choosing");
  await checkout.element.evaluate((element) => {
    const buttons = [...element.shadowRoot.querySelectorAll("button")];
    for (const button of buttons) {
      button.click();
    }
  });
  await payer.seesCode();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
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

test("two tabs at once show the same code, and both hear that it is paid", async ({ payer, order, sandbox }) => {
  const other = await payer.tab();
  const tabs = [payer, other];
  for (const tab of tabs) {
    await tab.opens();
    await tab.sees("choosing");
  }
  await Promise.all(tabs.map(({ checkout }) => checkout.qrButton.click()));
  for (const tab of tabs) {
    await tab.seesCode();
  }
  expect(await other.checkout.picture()).toBe(await payer.checkout.picture());
  expect(await sandbox.authorizations(order)).toHaveLength(1);

  await payer.pays();
  for (const tab of tabs) {
    await tab.sees("paid");
    await expect(tab.shop.thanks).toBeVisible();
    expect(tab.checkout.heardOnce("checkout-result")).toMatchObject({ outcome: "paid" });
  }
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

test("another method on a second device takes the place of the first code", async ({
  waiting: { payer, order, number: code },
  device,
  sandbox,
}) => {
  const second = await device(await payer.session());
  await second.opens({ order });
  await second.seesCode();
  await second.checkout.leaveForAnotherWay();
  await second.chooses("INSTALLMENT");

  await payer.sees("cancelled");
  expect(await sandbox.state(code)).toBe("CANCELADO");
  const open = (await order.operations()).filter(({ live }) => live);
  expect(open.map(({ method_name }) => method_name)).toEqual(["INSTALLMENT"]);
});

test("a paid order is not paid again, whoever asks for it", async ({ payer, order, device, sandbox, invariants }) => {
  invariants.expects(/status of 409 .*\/api\/charges/);
  const second = await device(await payer.session());
  await second.opens({ order });
  await second.sees("choosing");

  const { number } = await payer.begins();
  await payer.pays();
  await payer.sees("paid");

  await second.checkout.qrButton.click();
  await second.sees("paid");
  expect(second.checkout.heardOnce("checkout-result")).toMatchObject({
    outcome: "paid",
    merchantOperationNumber: number,
    resumed: true,
  });
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("somebody else sees nothing of an order and starts nothing", { tag: "@quick" }, async ({ waiting: { order }, device, sandbox, invariants }) => {
  invariants.expects(/status of 404 .*\/api\/orders\//);
  const stranger = await device();
  await stranger.opens({ order });
  await expect(stranger.shop.unknown).toBeVisible();
  await expect(stranger.checkout.element).toHaveCount(0);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});
