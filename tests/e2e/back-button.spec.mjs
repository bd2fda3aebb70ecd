// The Back button, with the back-forward cache: automated browsers switch it off, and the shell without windows has
// none.

import config from "../playwright.config.mjs";
import { expect, test } from "./support/fixtures.mjs";

test.use({
  launchOptions: {
    ...config.use.launchOptions,
    executablePath: process.env.CHROME ?? "/usr/bin/chromium",
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  },
});

/** Back, without waiting for a load that never comes: the page was only asleep. */
async function back(page) {
  await page.goBack({ waitUntil: "commit" });
}

/** The page that led the payer away is awake again. */
async function wasAsleep(checkout) {
  const [{ document }] = checkout.heard("checkout-redirect");
  await expect
    .poll(() => checkout.heard("pageshow").some((event) => event.detail.persisted && event.document === document))
    .toBe(true);
}

test("Back from the lender goes on with the payment, and leads nobody away again", { tag: "@quick" }, async ({
  payer,
  order,
  checkout,
  page,
  sandbox,
}) => {
  await payer.begins({ method: "INSTALLMENT" });
  await back(page);
  await wasAsleep(checkout);
  await payer.sees("continue");
  await expect(page).toHaveURL(new RegExp(`order=${order.id}`));
  expect(checkout.heard("checkout-redirect")).toHaveLength(1);

  await checkout.continueLink.click();
  await payer.lender.arrived();
  await payer.lender.approve();
  await payer.sees("paid");
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("Back through the lender after the return tells nothing twice", async ({ payer, order, checkout, shop, page, sandbox }) => {
  await payer.begins({ method: "INSTALLMENT" });
  await payer.lender.approve();
  await payer.sees("paid");

  await back(page);
  await page.waitForURL(/\/lender\//, { waitUntil: "commit" });
  await back(page);
  await page.waitForURL(/order=/, { waitUntil: "commit" });
  await wasAsleep(checkout);
  await payer.sees("paid");
  await expect(shop.thanks).toBeVisible();
  const results = checkout.heard("checkout-result");
  // The page that was left and the page of the return, each once.
  expect(results.map(({ detail }) => detail.outcome)).toEqual(["paid", "paid"]);
  expect(new Set(results.map(({ document }) => document)).size).toBe(2);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});
