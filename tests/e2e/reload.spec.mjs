import { expect, test } from "./support/fixtures.mjs";

test("a reload with the code on the screen goes on with it", async ({
  shop,
  order,
  checkout,
  sandbox,
  page,
}) => {
  await shop.openOrder(order);
  await checkout.payByQr();
  const picture = await checkout.picture();
  const left = await checkout.secondsLeft();

  await page.reload();
  await checkout.showsQr();
  expect(await checkout.picture()).toBe(picture);
  // The countdown goes on; it does not begin anew.
  expect(await checkout.secondsLeft()).toBeLessThanOrEqual(left);

  await sandbox.drive(await order.number(), "pay");
  await checkout.shows("paid");
  expect(await sandbox.authorizations(order)).toHaveLength(1);
  checkout.heardOnce("checkout-result");
});

test("a reload between payment and news shows what the server says", async ({
  shop,
  order,
  checkout,
  sandbox,
  page,
}) => {
  await shop.openOrder(order);
  await checkout.payByQr();
  const number = await order.number();
  await Promise.all([page.reload({ waitUntil: "commit" }), sandbox.drive(number, "pay")]);
  await checkout.shows("paid");
  await expect(shop.thanks).toBeVisible();
  expect(checkout.heard("checkout-result").at(-1).detail).toMatchObject({
    outcome: "paid",
    merchantOperationNumber: number,
  });
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("whoever closed the tab goes on with the same code", async ({
  context,
  payer,
  order,
  visit,
  sandbox,
}) => {
  await payer.shop.openOrder(order);
  await payer.checkout.payByQr();
  const picture = await payer.checkout.picture();
  await payer.page.close();

  const next = await visit(context);
  await next.shop.openOrder(order);
  await next.checkout.showsQr();
  expect(await next.checkout.picture()).toBe(picture);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("paid with no page open, the shop knows it when it is opened again", async ({
  context,
  payer,
  order,
  visit,
  sandbox,
}) => {
  await payer.shop.openOrder(order);
  await payer.checkout.payByQr();
  const number = await order.number();
  await payer.page.close();
  await sandbox.drive(number, "pay");
  await expect.poll(() => order.state()).toBe("paid");

  const next = await visit(context);
  await next.shop.openOrder(order);
  await expect(next.shop.thanks).toBeVisible();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("a snapshot that somebody tampered with is no payment", async ({
  shop,
  order,
  checkout,
  page,
}) => {
  await shop.openOrder(order);
  await checkout.payByQr();
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
  await page.reload();
  await checkout.showsQr();
  await expect(shop.thanks).toBeHidden();
});
