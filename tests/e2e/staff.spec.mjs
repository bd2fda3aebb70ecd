// The back office's page, and that payers have nothing of it.

import { expect, test } from "./test.mjs";
import { Staff } from "./pages/staff.mjs";

test("a payer downloads nothing of the staff's", async ({ page, shop, order, checkout }) => {
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await shop.open();
  await expect(page.getByRole("link", { name: "Panel del personal" })).toBeVisible();
  await shop.openOrder(order);
  await checkout.payByQr();
  expect(asked.filter((path) => /^\/(staff|operations)/.test(path))).toEqual([]);
  // It would be empty as well if nothing had been heard.
  expect(asked).toContain("/element/payment-checkout.js");
});

test("the shop leads to the back office in its own language, and back", async ({ page, shop, witness }) => {
  // Nobody is signed in yet, which the browser tells.
  witness.allows(/status of 401 .*\/api\/staff\/session\)/);
  const staff = new Staff(page);
  await shop.open();
  await page.getByRole("link", { name: "Panel del personal" }).click();
  await expect(staff.heading).toBeVisible();
  await expect(page).toHaveTitle("Panel del personal · Retama y Cumbre");
  await page.getByRole("link", { name: "English" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Staff desk" })).toBeVisible();
  await page.getByRole("link", { name: "Shop" }).click();
  await expect(page).toHaveURL(/\/\?lang=en$/);
});

test("a staff member who has not signed in is asked to, and for nothing else", async ({ page, witness }) => {
  witness.expects(/status of 401 .*\/api\/staff\/session\)/);
  const staff = new Staff(page);
  await staff.open();
  await expect(staff.name).toBeVisible();
  await expect(staff.password).toHaveAttribute("type", "password");
  await expect(staff.searchButton).toHaveCount(0);
});
