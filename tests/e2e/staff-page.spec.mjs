// The back office's page, and that payers have nothing of it.

import { expect, test } from "./support/fixtures.mjs";
import { servers } from "../servers.mjs";
import { Staff } from "./support/pages/staff.mjs";

test("a payer downloads nothing of the staff's, and the link of the shop leads to the sign-in in its language", async ({ payer, shop, page, invariants }) => {
  // No person is signed in yet. The browser reports the 401 in the console.
  invariants.expects(/status of 401 .*\/api\/staff\/session\)/);
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await shop.open();
  await payer.begins();
  expect(asked.filter((path) => /^\/(staff|operations)/.test(path))).toEqual([]);
  // Without any events it would be empty too.
  expect(asked).toContain("/element/payment-checkout.js");

  const staff = new Staff(page);
  await page.getByRole("link", { name: "Panel del personal" }).click();
  await expect(staff.heading).toBeVisible();
  await expect(page).toHaveTitle("Panel del personal · Retama y Cumbre");
  await expect(staff.name).toBeVisible();
  await expect(staff.password).toHaveAttribute("type", "password");
  await expect(staff.searchButton).toHaveCount(0);
  await page.getByRole("link", { name: "English" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Staff desk" })).toBeVisible();
  await expect(new Staff(page, "en").name).toBeVisible();
  await page.getByRole("link", { name: "Shop" }).click();
  await expect(page).toHaveURL(/\/\?lang=en$/);
});

test("a wrong password says so and is gone, the right one stays in over a reload", { tag: "@quick" }, async ({
  page,
  invariants,
}) => {
  invariants.expects(/status of 401 .*\/api\/staff\/session\)/);
  const staff = new Staff(page);
  await staff.open();
  await staff.signIn("ana", "not-the-password");
  await expect(staff.element.getByText("El usuario o la contraseña no son correctos.")).toBeVisible();
  await expect(staff.name).toHaveValue("ana");
  await expect(staff.password).toHaveValue("");
  await staff.signIn("ana");
  await expect(staff.element.getByText("Sesión de ana")).toBeVisible();
  await page.reload();
  await expect(staff.element.getByText("Sesión de ana")).toBeVisible();
  await staff.signOutButton.click();
  await expect(staff.signInButton).toBeVisible();
  await page.reload();
  await expect(staff.signInButton).toBeVisible();
  await expect(staff.searchButton).toHaveCount(0);
  // Nothing of it stays in the browser.
  const kept = await page.evaluate(() => [sessionStorage.length, localStorage.length]);
  expect(kept).toEqual([0, 0]);
});

test("a test account is one press, with the password that the terminal gave to the page, also in English", async ({ page, invariants }) => {
  invariants.expects(/status of 401 .*\/api\/staff\/session\)/);
  const staff = new Staff(page, "en");
  await staff.open(`?lang=en#${servers.staff_password}`);
  await expect(staff.name).toBeVisible();
  // The password does not stay in the address.
  expect(page.url()).not.toContain(servers.staff_password);
  await page.getByRole("button", { name: "luis" }).click();
  await expect(staff.name).toHaveValue("luis");
  await staff.signInButton.click();
  await expect(staff.signOutButton).toBeVisible();
  await expect(page.getByRole("button", { name: "luis" })).toBeHidden();
  await staff.button("exceptions").click();
  await expect(staff.element.getByRole("heading", { name: "To look into" })).toBeVisible();
});
