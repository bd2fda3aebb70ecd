// The staff's element is accessible: axe finds nothing, and nothing needs a mouse.

import { servers } from "../servers.mjs";
import { findings, tabTo } from "./support/accessibility.mjs";
import { Staff } from "./support/pages/staff.mjs";
import { expect, test } from "./support/fixtures.mjs";

const ELEMENT = "payment-operations";

test("axe finds nothing on the sign-in, also when it was refused", async ({ page, invariants }) => {
  invariants.allows(/status of 401 .*\/api\/staff\/session\)/);
  const staff = new Staff(page);
  await staff.open();
  await staff.signIn("nobody", "nothing");
  await expect(staff.element.getByText("no son correctos")).toBeVisible();
  expect(await findings(page, ELEMENT)).toEqual([]);
});

test("axe finds nothing on the list, with what is chosen and what is wrong", async ({
  signIn,
  sell,
}) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  // Staff can select only settled operations. The server may not have received the notification of the
  // settlement yet, so `look` makes it query the payment service before the list is read.
  await ana.look(sale.number);
  await ana.button("back").click();
  await ana.choose(sale.number);
  await ana.unfold();
  await ana.element.getByLabel("Monto mínimo").fill("diez");
  await ana.button("search").click();
  await expect(ana.element.getByText(/^Escribe un número/)).toBeVisible();
  expect(await findings(ana.page, ELEMENT)).toEqual([]);
});

test("axe finds nothing on an operation and on what is asked about it", async ({
  signIn,
  sell,
}) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  expect(await findings(ana.page, ELEMENT)).toEqual([]);
  await ana.typeRefund("200.00");
  await ana.button("review", ana.dialog).click();
  await expect(ana.dialog.getByText(/^Es más de lo que queda/)).toBeVisible();
  expect(await findings(ana.page, ELEMENT)).toEqual([]);
  await ana.takeAll();
  await ana.button("review", ana.dialog).click();
  await ana.button("sendRefund", ana.dialog).click();
  await expect(ana.results).toBeVisible();
  expect(await findings(ana.page, ELEMENT)).toEqual([]);
});

test("axe finds nothing on what is to look into, for whoever may only look", async ({
  signIn,
  sell,
  sandbox,
}) => {
  const late = await sell("expire");
  const mira = await signIn("mira");
  await mira.look(late.number);
  await sandbox.drive(late.number, "pay", { late: true });
  await mira.query();
  await mira.button("exceptions").click();
  await expect(mira.exception(late.number)).toBeVisible();
  expect(await findings(mira.page, ELEMENT)).toEqual([]);
});

test("without a mouse: sign in, search, open, refund, think better of it", async ({
  page,
  sell,
  invariants,
}) => {
  invariants.allows(/status of 401 .*\/api\/staff\/session\)/);
  const sale = await sell("pay", "settle");
  const staff = new Staff(page);
  const { keyboard } = page;
  await staff.open();
  await tabTo(page, staff.name);
  await keyboard.type("ana");
  await tabTo(page, staff.password);
  await keyboard.type(servers.staff_password);
  await keyboard.press("Enter");
  await expect(staff.element.getByRole("heading", { name: "Buscar operaciones" })).toBeFocused();

  await tabTo(page, staff.identifier);
  await keyboard.type(sale.number);
  await keyboard.press("Enter");
  await expect(staff.rows).toHaveCount(1);
  const row = staff.row(sale.number);
  await tabTo(page, row, 40);
  await keyboard.press("Enter");
  await expect(staff.operation(sale.number)).toBeFocused();

  await tabTo(page, staff.button("query"));
  const asked = page.waitForResponse(/\/api\/staff\/charges\//);
  await keyboard.press("Enter");
  await asked;
  await expect(staff.button("refund")).toBeVisible();
  await keyboard.press("Shift+Tab");
  await expect(staff.button("refund")).toBeFocused();
  await keyboard.press("Enter");
  const amount = staff.dialog.getByLabel("Monto en PEN");
  const all = staff.dialog.getByRole("radio", { name: "Todo (S/ 129.90)" });
  await expect(all).toBeFocused();
  await keyboard.press("Escape");
  await expect(staff.dialog).toBeHidden();
  await expect(staff.button("refund")).toBeFocused();

  await keyboard.press("Enter");
  await expect(all).toBeFocused();
  await keyboard.press("ArrowDown");
  await keyboard.press("Tab");
  await expect(amount).toBeFocused();
  await keyboard.type("10.00");
  await keyboard.press("Enter");
  await expect(staff.dialog.getByRole("heading", { name: "Revisa antes de devolver" })).toBeFocused();
  await tabTo(page, staff.button("sendRefund", staff.dialog));
  await keyboard.press("Enter");
  await expect(staff.results).toBeFocused();
  await tabTo(page, staff.button("close", staff.dialog));
  await keyboard.press("Enter");
  await expect(staff.dialog).toBeHidden();
  expect(await sale.refunded()).toEqual([1000]);

  await staff.button("back").focus();
  await keyboard.press("Enter");
  await expect(row).toBeFocused();
});
