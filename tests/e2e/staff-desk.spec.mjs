// The desk: finding operations, how much of the list is seen at once, and the address of an operation.

import { expect, test } from "./support/fixtures.mjs";
import { Staff } from "./support/pages/staff.mjs";

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

test("ten operations are in sight on a laptop, a row is pressed anywhere, and one operation makes no long page", async ({ signIn, sell }) => {
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
  await ana.button("back").click();

  // Small enough for the list to begin out of sight.
  await ana.page.setViewportSize({ width: 360, height: 300 });
  await ana.search(sales[0].number);
  await expect(ana.rows).toHaveCount(1);
  const height = await ana.page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThan(2000);
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
