// Finding operations: by any number that a person has at hand, page by page, and as a file.

import { readFile } from "node:fs/promises";
import { expect, test } from "./support/fixtures.mjs";

test("an operation is found by every number that people have of it", { tag: "@quick" }, async ({ waiting: { order, number }, sandbox, signIn }) => {
  const { operation, qr_id } = await sandbox.operation(number);
  const [{ transaction_id }] = operation.transactions;
  const ana = await signIn("ana");
  for (const text of [number, order.id, transaction_id, qr_id]) {
    expect(text).toBeTruthy();
    await ana.search(text);
    await expect(ana.rows).toHaveCount(1);
    await expect(ana.row(number)).toBeVisible();
  }
  // Only a whole and exact number matches, so that staff cannot browse operations by guessing.
  await ana.search(number.slice(0, -1));
  await expect(ana.element.getByText(/^Ninguna operación cumple/)).toBeVisible();
  await expect(ana.rows).toHaveCount(0);
});

test("a short list makes no long page on a phone", async ({ signIn, sell }) => {
  const sale = await sell();
  const ana = await signIn("ana");
  // Small enough for the list to begin out of sight.
  await ana.page.setViewportSize({ width: 360, height: 300 });
  await ana.search(sale.number);
  await expect(ana.rows).toHaveCount(1);
  const height = await ana.page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThan(2000);
});

test("filters narrow it down, and wrong ones are told where they are", async ({ signIn, sell }) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  // The list knows the current state after a person looked at the operation.
  await ana.look(sale.number);
  await ana.button("back").click();
  await ana.unfold();
  const filter = async (label, value) => {
    const field = ana.element.getByLabel(label);
    const chosen = await field.evaluate((node) => node.localName === "select");
    await (chosen ? field.selectOption(value) : field.fill(value));
    await ana.searchButton.click();
  };
  await filter("Estado", "LIQUIDADO");
  await filter("Método", "INSTALLMENT");
  await filter("Monto mínimo", "129.90");
  await filter("Monto máximo", "129.90");
  await expect(ana.row(sale.number)).toBeVisible();
  await filter("Monto mínimo", "129.91");
  await expect(ana.element.getByText("El máximo es menor que el mínimo.")).toBeVisible();
  await filter("Monto máximo", "");
  await expect(ana.rows).toHaveCount(0);
  await filter("Monto mínimo", "");
  await expect(ana.row(sale.number)).toBeVisible();
  await filter("Estado", "DENEGADO");
  await expect(ana.rows).toHaveCount(0);
  await filter("Estado", "");
  await filter("Método", "QR");
  await expect(ana.rows).toHaveCount(0);
  await filter("Método", "");
  await filter("Desde el día", "2020-01-02");
  await filter("Hasta el día", "2020-01-01");
  await expect(ana.element.getByText("El último día va después del primero.")).toBeVisible();
  await filter("Hasta el día", "2020-01-02");
  await expect(ana.rows).toHaveCount(0);
  await filter("Hasta el día", "");
  await expect(ana.row(sale.number)).toBeVisible();
});

test("more is loaded below, and the way back leads to the same place", async ({ signIn, sell }) => {
  const sales = [await sell(), await sell(), await sell(), await sell(), await sell()];
  const ana = await signIn("ana");
  // Small pages, which the server is asked for as for large ones.
  await ana.page.route(/\/api\/staff\/operations\?/, (route) => {
    const address = new URL(route.request().url());
    address.searchParams.set("limit", "2");
    return route.continue({ url: address.href });
  });
  await ana.unfold();
  await ana.element.getByLabel("Método").selectOption("INSTALLMENT");
  await ana.searchButton.click();
  await expect(ana.rows).toHaveCount(2);
  await expect(ana.element.getByText("2 operaciones, hay más").first()).toBeVisible();
  const first = await ana.rows.first().elementHandle();
  await ana.more.click();
  await expect(ana.rows).toHaveCount(4);
  // The rows that were there are not drawn again, or long lists would become slow.
  expect(await first?.evaluate((row) => row.isConnected)).toBe(true);
  const numbers = await ana.numbers();
  expect(new Set(numbers).size).toBe(4);
  expect(sales.map((sale) => sale.number)).toContain(numbers[3]);

  await ana.page.setViewportSize({ width: 1280, height: 400 });
  const last = ana.row(numbers[3]);
  await last.scrollIntoViewIfNeeded();
  const scrolled = () => ana.page.evaluate(() => scrollY);
  const place = await scrolled();
  expect(place).toBeGreaterThan(0);
  await last.click();
  await expect(ana.operation(numbers[3])).toBeVisible();
  await ana.button("back").click();
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport();
  expect(await ana.numbers()).toEqual(numbers);
});

test("the control of one operation never becomes another one's", async ({ signIn, sell }) => {
  const sales = [await sell(), await sell()];
  const ana = await signIn("ana");
  for (const { number } of sales) {
    await ana.search("");
    for (const sale of sales) await expect(ana.row(sale.number)).toBeVisible();
    const controls = await ana.rows.elementHandles();
    const numbers = await ana.numbers();
    await ana.search(number);
    await expect(ana.rows).toHaveCount(1);
    // A press that began on another one, before the list changed, ends nowhere.
    const left = await Promise.all(controls.map((control) => control.evaluate((node) => node.isConnected)));
    expect(numbers.filter((_, at) => left[at])).toEqual([number]);
  }
});

test("what was found is a file for the books", async ({ signIn, sell }) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  await ana.button("back").click();
  await ana.search(sale.number);
  await expect(ana.rows).toHaveCount(1);
  const coming = ana.page.waitForEvent("download");
  await ana.element.getByRole("link", { name: "Descargar CSV" }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  const text = await readFile(await download.path(), "utf8");
  const [heads, row, ...more] = text.replace(/^\uFEFF/, "").trim().split(/\r?\n/);
  expect(more).toEqual([]);
  const names = heads.split(",");
  const cells = Object.fromEntries(row.split(",").map((cell, at) => [names[at], cell]));
  expect(cells).toMatchObject({
    merchant_operation_number: sale.number,
    order_id: sale.order.id,
    method: "INSTALLMENT",
    state: "LIQUIDADO",
    amount: "129.90",
  });
  expect(cells.created_at_utc).toMatch(/Z$/);
  // Nothing of the payer.
  expect(text).not.toMatch(/Rosa|Quispe|ejemplo/);
});
