// Tests refunds: which ones staff may make, and the messages that they get.

import { expect, test } from "./support/fixtures.mjs";
import { inGroups } from "./support/pages/staff.mjs";

test("a part, then the rest, and not one cent more", async ({ signIn, sell, sandbox }) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  await expect(ana.element.getByText("Queda por reembolsar: S/ 129.90")).toBeVisible();

  await ana.refund("29.90");
  await expect(ana.dialog.getByText("Registrado", { exact: true })).toBeVisible();
  await ana.closeDialog();
  await expect(ana.element.getByText("Queda por reembolsar: S/ 100.00")).toBeVisible();

  // One cent more is refused where it is typed, and sent nowhere.
  await ana.typeRefund("100.01");
  await ana.button("review", ana.dialog).click();
  await expect(ana.dialog.getByText("Es más de lo que queda: S/ 100.00.")).toBeVisible();
  await ana.takeAll();
  await ana.button("review", ana.dialog).click();
  await ana.button("sendRefund", ana.dialog).click();
  await ana.closeDialog();
  await expect(ana.element.getByText("No queda nada por devolver.")).toBeVisible();
  expect(await sale.refunded()).toEqual([2990, 10000]);

  // The page shows the results without a reload.
  for (const { refund_id } of await sale.refunds()) {
    await sandbox.driveRefund(refund_id, "process");
    await sandbox.driveRefund(refund_id, "resolve");
  }
  await expect(ana.element.getByText("Devuelto", { exact: true }).first()).toBeVisible({ timeout: 30_000 });
});

test("two fast clicks send one refund", async ({ signIn, sell }) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  await ana.typeRefund("10.00");
  await ana.button("review", ana.dialog).click();
  await ana.button("sendRefund", ana.dialog).dblclick();
  await ana.closeDialog();
  expect(await sale.refunded()).toEqual([1000]);
});

test("two members of staff at once never give back too much", async ({ signIn, sell, invariants }) => {
  invariants.expects(/status of 400 .*\/api\/staff\/refund\)/);
  const sale = await sell("pay", "settle");
  const members = [await signIn("ana"), await signIn("bea")];
  for (const member of members) {
    await member.look(sale.number);
    await member.typeRefund("100.00");
    await member.button("review", member.dialog).click();
  }
  await Promise.all(members.map((member) => member.button("sendRefund", member.dialog).click()));
  const done = (member) => member.dialog.getByRole("heading", { name: "Resultado de cada reembolso" });
  const refused = (member) => member.dialog.getByText("Es más de lo que queda", { exact: false });
  for (const member of members) {
    await expect(done(member).or(refused(member)).first()).toBeVisible();
  }
  const winners = await Promise.all(members.map((member) => done(member).isVisible()));
  expect(winners.filter(Boolean)).toHaveLength(1);
  expect(await sale.refunded()).toEqual([10000]);
});

test("an account gives back what it may, and no more", async ({ signIn, sell }) => {
  const sale = await sell("pay", "settle");
  const luis = await signIn("luis");
  await luis.look(sale.number);
  await luis.typeRefund("50.01");
  await expect(luis.dialog.getByText("Puedes devolver hasta S/ 50.00 por vez.")).toBeVisible();
  await luis.button("review", luis.dialog).click();
  await expect(luis.dialog.getByText(/Es más de lo que todavía puedes devolver/)).toBeVisible();
  expect(await sale.refunded()).toEqual([]);
});

test("one button gives money back, by the way that there is, and the record tells it in the desk's language", { tag: "@quick" }, async ({
  signIn,
  sell,
}) => {
  const [paid, settled] = [await sell("pay"), await sell("pay", "settle")];
  const ana = await signIn("ana");
  await ana.look(paid.number);
  await ana.button("refund").click();
  await expect(ana.dialog.getByRole("heading", { name: "Devolver a Rosa Quispe" })).toBeVisible();
  await expect(ana.dialog.getByLabel(ana.words.reverseConfirm)).toBeVisible();
  await ana.button("keep", ana.dialog).click();
  await ana.button("back").click();
  await ana.look(settled.number);
  await ana.button("refund").click();
  await expect(ana.dialog.getByRole("heading", { name: "Devolver a Rosa Quispe" })).toBeVisible();
  await expect(ana.dialog.getByRole("radio", { name: "Todo (S/ 129.90)" })).toBeChecked();
  await ana.takePart("9.90");
  await ana.button("review", ana.dialog).click();
  await ana.button("sendRefund", ana.dialog).click();
  await ana.closeDialog();
  await expect(ana.element.getByText(/^Parcial · S\/\s9\.90 · n\.º /)).toBeVisible();
  expect(await settled.refunded()).toEqual([990]);
});

test("a session that ended in the middle keeps the form", { tag: "@quick" }, async ({ signIn, sell, invariants }) => {
  invariants.expects(/status of 401 .*\/api\/staff\/refund\)/);
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  await ana.typeRefund("12.34");
  await ana.button("review", ana.dialog).click();
  await ana.page.context().clearCookies();
  await ana.button("sendRefund", ana.dialog).click();
  await expect(ana.element.getByRole("heading", { name: "Tu sesión terminó" })).toBeVisible();
  expect(await sale.refunded()).toEqual([]);
  await ana.signIn("ana");
  await ana.button("sendRefund", ana.dialog).click();
  await expect(ana.dialog.getByRole("heading", { name: "Resultado de cada reembolso" })).toBeVisible();
  expect(await sale.refunded()).toEqual([1234]);
});

test("several at once, each with its own result", async ({ signIn, sell }) => {
  const [one, two, early] = [await sell("pay", "settle"), await sell("pay", "settle"), await sell("pay")];
  const ana = await signIn("ana");
  for (const sale of [one, two, early]) {
    await ana.look(sale.number);
    await ana.button("back").click();
  }
  await ana.search("");
  // Only what the service can refund can be chosen.
  await expect(ana.found.getByLabel(`Elegir la operación ${inGroups(early.number)}`)).toHaveCount(0);
  for (const sale of [one, two]) {
    await ana.choose(sale.number);
  }
  await expect(ana.element.getByText("Elegidas: 2")).toBeVisible();
  await ana.element.getByRole("button", { name: "Reembolsar las elegidas" }).click();
  const line = (sale) =>
    ana.dialog.getByRole("group", { name: `Operación ${inGroups(sale.number)}, pedido ${sale.order.id}` });
  await ana.takePart("10.00", line(one));
  await expect(line(two).getByText("Quedan S/ 129.90 de S/ 129.90")).toBeVisible();
  await ana.takeAll(line(two));
  await ana.button("review", ana.dialog).click();
  await ana.button("sendRefund", ana.dialog).click();
  await expect(ana.results).toBeVisible();
  for (const [sale, amount] of /** @type {const} */ ([[one, "S/ 10.00"], [two, "S/ 129.90"]])) {
    const result = ana.dialog.getByRole("listitem").filter({ hasText: sale.number });
    await expect(result).toContainText(amount);
    await expect(result).toContainText("Registrado");
  }
  expect(await one.refunded()).toEqual([1000]);
  expect(await two.refunded()).toEqual([12990]);
  expect(await early.refunded()).toEqual([]);
});
