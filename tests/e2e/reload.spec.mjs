import { expect, test } from "./support/fixtures.mjs";

test("a reload with the code on the screen goes on with it", { tag: "@quick" }, async ({ waiting: { payer, order, checkout }, sandbox }) => {
  const picture = await checkout.picture();
  const left = await checkout.secondsLeft();

  await payer.reloads();
  await payer.seesCode();
  expect(await checkout.picture()).toBe(picture);
  // The countdown goes on; it does not begin anew.
  expect(await checkout.secondsLeft()).toBeLessThanOrEqual(left);

  await payer.pays();
  await payer.sees("paid");
  expect(await sandbox.authorizations(order)).toHaveLength(1);
  checkout.heardOnce("checkout-result");
});

test("a reload between payment and news shows what the server says", async ({
  waiting: { payer, order, number, checkout, shop, page },
  sandbox,
}) => {
  await Promise.all([page.reload({ waitUntil: "commit" }), payer.pays()]);
  await payer.sees("paid");
  await expect(shop.thanks).toBeVisible();
  expect(checkout.heard("checkout-result").at(-1).detail).toMatchObject({
    outcome: "paid",
    merchantOperationNumber: number,
  });
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("whoever closed the tab goes on with the same code", { tag: "@quick" }, async ({ waiting: { payer, order }, sandbox }) => {
  const picture = await payer.checkout.picture();
  await payer.page.close();

  const next = await payer.tab();
  await next.opens();
  await next.seesCode();
  expect(await next.checkout.picture()).toBe(picture);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("paid with no page open, the shop knows it when it is opened again", async ({ waiting: { payer, order }, sandbox }) => {
  await payer.page.close();
  await payer.pays();
  await expect.poll(() => order.state()).toBe("paid");

  const next = await payer.tab();
  await next.opens();
  await expect(next.shop.thanks).toBeVisible();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("a snapshot that somebody tampered with is no payment", async ({ waiting: { payer, shop, page } }) => {
  await page.evaluate(() => {
    for (const key of Object.keys(sessionStorage).filter((key) => key.startsWith("payment-"))) {
      const kept = JSON.parse(sessionStorage.getItem(key));
      kept.flow.state = "AUTORIZADO";
      kept.flow.outcome = "paid";
      kept.flow.deadline = "soon";
      sessionStorage.setItem(key, JSON.stringify(kept));
    }
  });
  // The tab remembers nothing now; the server does.
  await payer.reloads();
  await payer.seesCode();
  await expect(shop.thanks).toBeHidden();
});
