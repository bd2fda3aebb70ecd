// The staff's element for everybody: nothing that axe finds, and nothing that needs a mouse.

import { findings } from "./pages/axe.mjs";
import { expect, test } from "./test.mjs";

const TAG = "payment-operations";

test("axe finds nothing before somebody is signed in", async ({ page, witness }) => {
  witness.expects(/status of 401 .*\/api\/staff\/session\)/);
  await page.goto("/staff.html");
  await expect(page.getByLabel("Usuario")).toBeVisible();
  expect(await findings(page, TAG)).toEqual([]);
});

test("axe finds nothing on what staff see", async ({ signIn, sell }) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  await ana.search("");
  await expect(ana.found).toBeVisible();
  expect(await findings(ana.page, TAG), "the list").toEqual([]);
  await ana.look(sale.number);
  expect(await findings(ana.page, TAG), "an operation").toEqual([]);
  await ana.typeRefund("1.00");
  expect(await findings(ana.page, TAG), "a form").toEqual([]);
  await ana.page.keyboard.press("Escape");
  await ana.element.getByRole("button", { name: "Por revisar" }).click();
  await expect(ana.element.getByRole("heading", { name: "Por revisar" })).toBeVisible();
  expect(await findings(ana.page, TAG), "what is to be looked into").toEqual([]);
});

test("a refund needs no mouse", async ({ signIn, sell }) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  const { keyboard } = ana.page;
  await ana.identifier.focus();
  await keyboard.type(sale.number);
  await keyboard.press("Enter");
  const row = ana.found.getByRole("button", { name: sale.number });
  await expect(ana.found.getByRole("button")).toHaveCount(1);
  await row.focus();
  await keyboard.press("Enter");
  // The heading of what came up has the focus.
  await expect(ana.operation(sale.number)).toBeFocused();
  const asked = ana.page.waitForResponse(/\/api\/staff\/charges\//);
  await tabTo(ana, ana.button("query"));
  await keyboard.press("Enter");
  await asked;
  await expect(ana.button("refund")).not.toHaveAttribute("aria-disabled", "true");
  await tabTo(ana, ana.button("refund"));
  await keyboard.press("Enter");
  await expect(ana.dialog.getByLabel("Monto en PEN")).toBeFocused();
  await keyboard.press("Escape");
  await expect(ana.dialog).toBeHidden();
  await expect(ana.button("refund")).toBeFocused();
  await keyboard.press("Enter");
  await keyboard.type("5.00");
  await keyboard.press("Enter");
  await tabTo(ana, ana.button("sendRefund", ana.dialog));
  await keyboard.press("Enter");
  await expect(ana.dialog.getByText("Registrado", { exact: true })).toBeVisible();
  expect(await sale.refunded()).toEqual([500]);
});

/** Presses Tab until a control has the focus. */
async function tabTo({ page }, control) {
  await expect(control).toBeVisible();
  const isFocused = () => control.evaluate((node) => node === node.getRootNode().activeElement);
  for (let presses = 0; presses < 40 && !(await isFocused()); presses += 1) {
    await page.keyboard.press("Tab");
  }
  await expect(control).toBeFocused();
}
