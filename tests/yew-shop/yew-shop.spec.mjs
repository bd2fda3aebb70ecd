// The shop of `examples/yew-shop`, which Trunk serves: `cargo xtask test --only yew-shop`.

import { expect, test } from "../e2e/support/fixtures.mjs";

test.use({ baseURL: "http://127.0.0.1:8090" });

test("a payment leads to the thanks, and Back from them to the receipt", async ({
  page,
  checkout,
  sandbox,
  invariants,
}) => {
  // Of what Trunk writes into the page.
  invariants.allows(/`integrity` attribute is currently ignored for preload/);
  await page.goto("/");
  await page.getByRole("button", { name: "Buy it" }).click();
  // The component has no tag of its own.
  const element = checkout.at(page.getByRole("main")).in("en");
  await expect(page.getByRole("heading", { name: "Pay for your backpack" })).toBeVisible();
  await expect(element.amount).toHaveText("S/ 129.90");
  await element.payByQr();
  await page.reload();
  await element.showsQr();

  await page.getByRole("button", { name: "I do not want it any more" }).click();
  await expect(element.question).toBeVisible();
  await element.button("keep").click();
  await expect(element.question).toHaveCount(0);

  const shown = await page.locator("[part=operation] [part=number]").innerText();
  await sandbox.drive(shown.replace(/\D/g, ""), "pay");
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  await expect(page.getByText(/^Order R-\d+ is paid\.$/)).toBeVisible();

  await page.goBack();
  await element.shows("paid");
  await expect(page.getByText("Your invoice is on its way.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Pay for your backpack" })).toHaveCount(0);
  // The payer reads it as long as they like.
  expect(new URL(page.url()).pathname).toMatch(/^\/order\/[^/]+$/);
});
