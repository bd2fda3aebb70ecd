// Coming back to the shop: the page does not trust the state in the address. Every visitor, from
// any site and at every visit, sees the state that the server gives.

import { expect, test } from "./support/fixtures.mjs";
import { placeOrder } from "./support/order.mjs";

test("a forged return is no payment", async ({ shop, order, checkout, lender, sandbox }) => {
  await shop.openOrder(order);
  await checkout.payByInstallments();
  await lender.arrived();
  const address = await lender.returnAddress();
  await shop.page.goto(`${address}&state=AUTORIZADO&paid=1&success=true&outcome=paid`);

  await checkout.shows("continue");
  await expect(shop.thanks).toBeHidden();
  expect(checkout.heard("checkout-result")).toEqual([]);
  expect(await order.state()).toBe("open");
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("coming back twice is one payment, told once by each page", async ({
  shop,
  order,
  checkout,
  lender,
  sandbox,
}) => {
  await shop.openOrder(order);
  await checkout.payByInstallments();
  await lender.arrived();
  const address = await lender.returnAddress();
  await lender.approve();
  await checkout.shows("paid");

  await shop.page.goto(address);
  await checkout.shows("paid");
  await expect(shop.thanks).toBeVisible();
  const results = checkout.heard("checkout-result");
  expect(results.map(({ detail }) => detail.outcome)).toEqual(["paid", "paid"]);
  expect(new Set(results.map(({ document }) => document)).size).toBe(2);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("coming back in a second tab is the same payment", async ({
  context,
  payer,
  order,
  visit,
  sandbox,
}) => {
  await payer.shop.openOrder(order);
  await payer.checkout.payByInstallments();
  await payer.lender.arrived();
  const address = await payer.lender.returnAddress();
  const tab = await visit(context);
  await tab.page.goto(address);
  await tab.checkout.shows("continue");

  await payer.lender.approve();
  await payer.checkout.shows("paid");
  await tab.checkout.shows("paid");
  expect(tab.checkout.heardOnce("checkout-result")).toMatchObject({ outcome: "paid" });
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("coming back in another browser shows the state, and changes nothing", async ({
  payer,
  order,
  device,
  sandbox,
  invariants,
}) => {
  // That browser has no session of the order: its pages may not see it.
  invariants.expects(/status of 404 .*\/api\/orders\//);
  await payer.shop.openOrder(order);
  await payer.checkout.payByInstallments();
  await payer.lender.arrived();
  const address = await payer.lender.returnAddress();

  const other = await device();
  await other.page.goto(address);
  await other.checkout.shows("continue");
  // The token only gives this payment's state, and the page removes it from the address.
  await expect(other.page).toHaveURL(new RegExp(`/\\?order=${order.id}$`));
  // The page does not offer actions that a return token does not allow.
  await expect(other.checkout.button("cancel")).toHaveCount(0);
  await expect(other.checkout.button("another")).toHaveCount(0);

  await payer.lender.approve();
  await payer.checkout.shows("paid");
  await other.checkout.shows("paid");
  expect(other.checkout.heardOnce("checkout-result")).toMatchObject({
    outcome: "paid",
    merchantOperationNumber: await order.number(),
  });
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("a reload in another browser still knows the payment", async ({
  payer,
  order,
  device,
  invariants,
}) => {
  invariants.expects(/status of 404 .*\/api\/orders\//);
  await payer.shop.openOrder(order);
  await payer.checkout.payByInstallments();
  await payer.lender.arrived();
  const other = await device();
  await other.page.goto(await payer.lender.returnAddress());
  await other.checkout.shows("continue");
  await other.page.reload();
  await other.checkout.shows("continue");
});

test("a token that was changed opens nothing", async ({ payer, order, device, sandbox, invariants }) => {
  invariants.expects(/status of 404 .*\/api\/orders\//);
  invariants.expects(/status of 404 .*\/api\/charges\/demo-merchant\/\d+\/-\)/);
  await payer.shop.openOrder(order);
  await payer.checkout.payByInstallments();
  await payer.lender.arrived();
  const address = new URL(await payer.lender.returnAddress());
  const number = await order.number();
  const parts = address.searchParams.get("checkout").split(".");
  // It would live for a day longer.
  const expiry = parts.length - 2;
  parts[expiry] = String(Number(parts[expiry]) + 86_400);
  address.searchParams.set("checkout", parts.join("."));

  const stranger = await device();
  await stranger.page.goto(address.href);
  await stranger.checkout.shows("choosing");
  await expect(stranger.checkout.element).not.toContainText(number.slice(0, 4));
  await expect(stranger.checkout.element).not.toContainText("129.90");
  expect(stranger.checkout.heard("checkout-pending")).toEqual([]);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("a link with somebody else's token does not replace a payer's own payment", async ({
  payer,
  order,
  device,
}) => {
  const attacker = await device();
  const bait = await placeOrder(attacker.context);
  await attacker.shop.openOrder(bait);
  await attacker.checkout.payByInstallments();
  await attacker.lender.arrived();
  const token = new URL(await attacker.lender.returnAddress()).searchParams.get("checkout");

  await payer.shop.openOrder(order);
  await payer.checkout.payByQr();
  const picture = await payer.checkout.picture();
  await payer.shop.openOrder(order, `&checkout=${token}`);
  await payer.checkout.showsQr();
  expect(await payer.checkout.picture()).toBe(picture);
});
