// The payer's own device: no connection, a wrong clock, a page that looks away.

import { expect, test } from "./support/fixtures.mjs";

const DAY = 86_400_000;

test("without a connection the code stays, and a payment meanwhile is shown afterwards", { tag: "@quick" }, async ({
  waiting: { payer, checkout },
  context,
  invariants,
}) => {
  invariants.allows(/ERR_INTERNET_DISCONNECTED/);
  const picture = await checkout.picture();
  await context.setOffline(true);
  await expect(checkout.text("offline")).toBeVisible();
  await payer.seesCode();
  expect(await checkout.picture()).toBe(picture);

  await payer.pays();
  await expect(checkout.image).toBeVisible();
  await context.setOffline(false);
  await payer.sees("paid");
  await expect(checkout.text("offline")).toBeHidden();
  expect(checkout.heard("checkout-error")).toEqual([]);
});

test("who chooses without a connection is told so, and goes on when it is back", async ({
  payer,
  order,
  checkout,
  context,
  sandbox,
  invariants,
}) => {
  invariants.expects(/ERR_INTERNET_DISCONNECTED/);
  await payer.opens();
  await payer.sees("choosing");
  await context.setOffline(true);
  await checkout.qrButton.click();
  await expect(checkout.text("unconnected")).toBeVisible();
  await context.setOffline(false);
  await payer.seesCode();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

for (const [name, wrong] of Object.entries({ behind: -DAY, ahead: DAY })) {
  test(`a clock that is a day ${name} shows the right time that is left`, async ({ payer, checkout, page, sandbox }) => {
    await page.clock.install({ time: Date.now() + wrong });
    const { number } = await payer.begins();
    const { operation } = await sandbox.operation(number);
    const deadline = Date.parse(operation.transactions[0].expiration_date.utc_time);
    const check = async () => {
      const left = await checkout.secondsLeft();
      const truth = (deadline - Date.now()) / 1000;
      expect(Math.abs(left - truth), `${left} s shown, ${truth} s true`).toBeLessThanOrEqual(2);
    };
    await check();
    await payer.reloads();
    await payer.seesCode();
    await check();
  });
}

test("a clock that jumps past the deadline ends nothing", async ({ payer, checkout, page }) => {
  await page.clock.install();
  await payer.begins();
  await page.clock.fastForward(3_600_000);
  await payer.seesCode();
  expect(checkout.heard("checkout-result")).toEqual([]);
  await payer.pays();
  await payer.sees("paid");
});
