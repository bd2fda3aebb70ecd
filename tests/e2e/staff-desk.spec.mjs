// The desk: how much of it is seen at once, the address of an operation, and the keyboard.

import { expect, test } from "./support/fixtures.mjs";
import { Staff } from "./support/pages/staff.mjs";

test("ten operations are in sight on a laptop, and each row is pressed anywhere", async ({ signIn, sell }) => {
  const sales = [];
  for (let count = 0; count < 11; count += 1) sales.push(await sell());
  const ana = await signIn("ana");
  await ana.page.setViewportSize({ width: 1280, height: 900 });
  await expect(ana.row(sales[0].number)).toBeVisible();
  const rows = ana.found.getByRole("row").filter({ has: ana.page.getByRole("button", { name: /\d{4}$/ }) });
  const inSight = await rows.evaluateAll(
    (found) => found.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
  );
  expect(inSight).toBeGreaterThanOrEqual(10);
  const first = rows.first();
  await expect(first).toContainText("Rosa Quispe");
  await first.click({ position: { x: 700, y: 20 } });
  await expect(ana.operation(sales[10].number)).toBeVisible();
});

test("an operation has an address, Back stays on the desk, and the address can be shared", async ({
  signIn,
  sell,
  page,
  invariants,
}) => {
  invariants.allows(/status of 401 .*\/api\/staff\/session\)/);
  const sale = await sell("pay");
  const ana = await signIn("ana");
  await ana.search(sale.number);
  await expect(ana.rows).toHaveCount(1);
  await ana.row(sale.number).click();
  await expect(ana.operation(sale.number)).toBeVisible();
  const address = new URL(ana.page.url());
  expect(address.searchParams.get("operation")).toBe(`demo-merchant/${sale.number}`);
  // Nobody is named in the address.
  expect(decodeURIComponent(address.href)).not.toMatch(/Rosa|Quispe|ejemplo/);
  await ana.page.goBack();
  await expect(ana.row(sale.number)).toBeFocused();
  await expect(ana.rows).toHaveCount(1);
  await ana.page.goForward();
  await expect(ana.operation(sale.number)).toBeVisible();
  await ana.button("back").click();
  await expect(ana.row(sale.number)).toBeFocused();
  expect(new URL(ana.page.url()).searchParams.has("operation")).toBe(false);

  // Somebody else is asked to sign in first.
  const mira = new Staff(page);
  await mira.open(address.search);
  await mira.signIn("mira");
  await expect(mira.operation(sale.number)).toBeVisible();
  await mira.button("back").click();
  await expect(mira.row(sale.number)).toBeVisible();
});

test("the list goes by keyboard, and letters in a field are letters", async ({ signIn, sell }) => {
  const sales = [await sell(), await sell()];
  const ana = await signIn("ana");
  const { keyboard } = ana.page;
  await expect(ana.row(sales[1].number)).toBeVisible();
  const numbers = await ana.numbers();
  await keyboard.press("j");
  await expect(ana.row(numbers[0])).toBeFocused();
  await keyboard.press("j");
  await expect(ana.row(numbers[1])).toBeFocused();
  await keyboard.press("k");
  await expect(ana.row(numbers[0])).toBeFocused();
  await keyboard.press("/");
  await expect(ana.identifier).toBeFocused();
  await keyboard.type("j/k");
  await expect(ana.identifier).toHaveValue("j/k");
  await ana.search(numbers[1]);
  await expect(ana.rows).toHaveCount(1);
  await ana.row(numbers[1]).focus();
  await keyboard.press("Enter");
  await expect(ana.operation(numbers[1])).toBeVisible();
});

test("chips narrow the list, heads order it, and what is shown is summed", async ({ signIn, sell }) => {
  const sales = [await sell("pay", "settle"), await sell()];
  const ana = await signIn("ana");
  // The list knows the current state after a person looked at the operation.
  await ana.look(sales[0].number);
  await ana.button("back").click();
  await ana.search("");
  await expect(ana.row(sales[1].number)).toBeVisible();
  const chip = (name) => ana.element.getByRole("button", { name, exact: true });
  await chip("Por devolver").click();
  await expect(chip("Por devolver")).toHaveAttribute("aria-pressed", "true");
  await expect(ana.row(sales[1].number)).toHaveCount(0);
  await expect(ana.row(sales[0].number)).toBeVisible();
  await expect(ana.element.getByText(/Suma S\/\s.*pagado S\/\s/)).toBeVisible();
  await ana.found.getByRole("checkbox", { name: /^Elegir todas/ }).click();
  await expect(ana.element.getByText(/^Elegidas: \d+$/)).toBeVisible();
  await chip("Hoy").click();
  await expect(ana.row(sales[0].number)).toBeVisible();
  await chip("Por devolver").click();
  await expect(ana.row(sales[1].number)).toBeVisible();
  const newest = await ana.numbers();
  await ana.found.getByRole("button", { name: "Hora" }).click();
  await expect(ana.found.getByRole("columnheader", { name: "Hora" })).toHaveAttribute("aria-sort", "ascending");
  await expect.poll(() => ana.numbers()).toEqual(newest.reverse());
});
