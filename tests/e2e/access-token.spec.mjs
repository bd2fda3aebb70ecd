// The service that does not let the merchant's server in any more.

import { expect, test } from "./support/fixtures.mjs";

test("a token that ran out leaves the code on the page, and everything recovers", async ({
  waiting: { payer, order, checkout, shop },
  sandbox,
  controls,
}) => {
  const picture = await checkout.picture();
  await controls.settings({ token_expired: true });
  await payer.pays();
  const refused = async () =>
    (await sandbox.journal(order, { method: "GET" })).filter(({ status }) => status === 401).length;
  await expect.poll(refused).toBeGreaterThan(1);
  // The last answer still counts, on this page and on the next.
  await payer.seesCode();
  await payer.reloads();
  await payer.seesCode();
  expect(await checkout.picture()).toBe(picture);
  expect(await order.state()).toBe("open");
  expect(checkout.heard("checkout-result")).toEqual([]);

  await controls.settings({ token_expired: false });
  await payer.sees("paid");
  await expect(shop.thanks).toBeVisible();
  checkout.heardOnce("checkout-result");
});

test("a token that ran out begins nothing, and the same attempt goes on", async ({
  payer,
  order,
  checkout,
  sandbox,
  controls,
  invariants,
}) => {
  invariants.allows(/status of 503 .*\/api\/charges\)/);
  await controls.settings({ token_expired: true });
  await payer.opens();
  await checkout.qrButton.click();
  await expect.poll(async () => (await order.operations()).length).toBeGreaterThan(0);
  await controls.settings({ token_expired: false });
  await payer.seesCode();
  const accepted = (await sandbox.authorizations(order)).filter((seen) => seen.accepted);
  expect(accepted).toHaveLength(1);
});
