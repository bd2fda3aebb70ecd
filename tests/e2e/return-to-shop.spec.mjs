// Coming back to the shop: the page does not trust the state in the address. Every visitor, from
// any site and at every visit, sees the state that the server gives.

import { expect, test } from "./support/fixtures.mjs";

test("a forged return is no payment", { tag: "@quick" }, async ({ payer, order, checkout, shop, sandbox }) => {
  await payer.begins({ method: "INSTALLMENT" });
  const address = await payer.lender.returnAddress();
  await shop.page.goto(`${address}&state=AUTORIZADO&paid=1&success=true&outcome=paid`);

  await payer.sees("continue");
  await expect(shop.thanks).toBeHidden();
  expect(checkout.heard("checkout-result")).toEqual([]);
  expect(await order.state()).toBe("open");
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("coming back in a second tab, and twice in one, is one payment, told once by each page", async ({
  payer,
  order,
  checkout,
  shop,
  sandbox,
}) => {
  await payer.begins({ method: "INSTALLMENT" });
  const address = await payer.lender.returnAddress();
  const tab = await payer.tab();
  await tab.page.goto(address);
  await tab.sees("continue");

  await payer.lender.approve();
  await payer.sees("paid");
  await tab.sees("paid");
  expect(tab.checkout.heardOnce("checkout-result")).toMatchObject({ outcome: "paid" });

  await shop.page.goto(address);
  await payer.sees("paid");
  await expect(shop.thanks).toBeVisible();
  const results = checkout.heard("checkout-result");
  expect(results.map(({ detail }) => detail.outcome)).toEqual(["paid", "paid"]);
  expect(new Set(results.map(({ document }) => document)).size).toBe(2);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("coming back in another browser shows the state, and a token that was changed opens nothing", async ({
  payer,
  order,
  device,
  sandbox,
  invariants,
}) => {
  // Those browsers have no session of the order: their pages may not see it.
  invariants.expects(/status of 404 .*\/api\/orders\//);
  invariants.expects(/status of 404 .*\/api\/charges\/demo-merchant\/\d+\/-\)/);
  const { number } = await payer.begins({ method: "INSTALLMENT" });
  const address = new URL(await payer.lender.returnAddress());

  const other = await device();
  await other.page.goto(address.href);
  await other.sees("continue");
  // The token only gives this payment's state, and the page removes it from the address.
  await expect(other.page).toHaveURL(new RegExp(`/\\?order=${order.id}$`));
  await other.reloads();
  await other.sees("continue");
  // The page does not offer actions that a return token does not allow.
  await expect(other.checkout.button("cancel")).toHaveCount(0);
  await expect(other.checkout.button("another")).toHaveCount(0);

  const parts = address.searchParams.get("checkout").split(".");
  // It would live for a day longer.
  const expiry = parts.length - 2;
  parts[expiry] = String(Number(parts[expiry]) + 86_400);
  address.searchParams.set("checkout", parts.join("."));
  const stranger = await device();
  await stranger.page.goto(address.href);
  await stranger.sees("choosing");
  await expect(stranger.checkout.element).not.toContainText(number.slice(0, 4));
  await expect(stranger.checkout.element).not.toContainText("129.90");
  expect(stranger.checkout.heard("checkout-pending")).toEqual([]);

  await payer.lender.approve();
  await payer.sees("paid");
  await other.sees("paid");
  expect(other.checkout.heardOnce("checkout-result")).toMatchObject({
    outcome: "paid",
    merchantOperationNumber: number,
  });
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});
