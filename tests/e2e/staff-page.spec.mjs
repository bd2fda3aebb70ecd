// The back office's page, and that payers have nothing of it.

import { expect, test } from "./support/fixtures.mjs";
import { servers } from "../servers.mjs";
import { Staff } from "./support/pages/staff.mjs";

test("a payer downloads nothing of the staff's", async ({ payer, shop, page }) => {
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await shop.open();
  await expect(page.getByRole("link", { name: "Panel del personal" })).toBeVisible();
  await payer.begins();
  expect(asked.filter((path) => /^\/(staff|operations)/.test(path))).toEqual([]);
  // Without any events it would be empty too.
  expect(asked).toContain("/element/payment-checkout.js");
});

test("the shop leads to the back office in its own language, and back", async ({ shop, page, invariants }) => {
  // No person is signed in yet. The browser reports the 401 in the console.
  invariants.allows(/status of 401 .*\/api\/staff\/session\)/);
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

test("a staff member who has not signed in is asked to, and for nothing else", async ({ page, invariants }) => {
  invariants.expects(/status of 401 .*\/api\/staff\/session\)/);
  const staff = new Staff(page);
  await staff.open();
  await expect(staff.name).toBeVisible();
  await expect(staff.password).toHaveAttribute("type", "password");
  await expect(staff.searchButton).toHaveCount(0);
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

test("a test account is one press, with the password where the terminal gave it to the page", async ({ page, invariants }) => {
  invariants.expects(/status of 401 .*\/api\/staff\/session\)/);
  const staff = new Staff(page);
  await staff.open(`#${servers.staff_password}`);
  await expect(staff.name).toBeVisible();
  // The password does not stay in the address.
  expect(page.url()).not.toContain(servers.staff_password);
  await page.getByRole("button", { name: "luis" }).click();
  await expect(staff.name).toHaveValue("luis");
  await staff.signInButton.click();
  await expect(staff.element.getByText("Sesión de luis")).toBeVisible();
  await expect(page.getByRole("button", { name: "luis" })).toBeHidden();
});

test("whoever may only look presses nothing that does something", async ({
  signIn,
  sell,
  sandbox,
}) => {
  const [settled, waiting] = [await sell("pay", "settle"), await sell()];
  const mira = await signIn("mira");
  await mira.look(settled.number);
  await expect(mira.element.getByText("Tu cuenta no puede devolver este pago.")).toBeVisible();
  await expect(mira.button("refund")).toHaveCount(0);
  await mira.button("back").click();
  await expect(mira.rows).toHaveCount(1);
  await expect(mira.found.getByRole("checkbox")).toHaveCount(0);
  await mira.look(waiting.number);
  await expect(mira.button("cancel")).toHaveCount(0);
  await expect(mira.element.getByText("Tu cuenta no puede anular ni revertir.")).toBeVisible();
  // Nor by asking the server without its page.
  const path = `/api/staff/charges/demo-merchant/${waiting.number}`;
  expect((await mira.page.request.delete(path)).status()).toBe(403);
  expect(await sandbox.cancellations(waiting.order)).toEqual([]);
});

test("the staff page speaks English", async ({ signIn, sell }) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana", "?lang=en");
  await expect(ana.heading).toBeVisible();
  await ana.look(sale.number);
  await expect(ana.element.getByText("Left to refund: S/ 129.90")).toBeVisible();
  await ana.refund("29.90");
  await expect(ana.dialog.getByText("Registered", { exact: true })).toBeVisible();
  await ana.closeDialog();
  await ana.button("exceptions").click();
  await expect(ana.element.getByRole("heading", { name: "To look into" })).toBeVisible();
  expect(await sale.refunded()).toEqual([2990]);
});
