// Tests cancelling, reversing, and the result of a second payment.

import { expect, test } from "./support/fixtures.mjs";
import { inGroups } from "./support/pages/staff.mjs";

test("what waits is cancelled, and its payer sees it", { tag: "@quick" }, async ({ waiting: { payer, number }, signIn }) => {
  const ana = await signIn("ana");
  await ana.look(number);
  await ana.button("cancel").click();
  await expect(ana.dialog.getByRole("heading", { name: `¿Anular la operación ${inGroups(number)}?` })).toBeVisible();
  await ana.button("cancelYes", ana.dialog).click();
  await expect(ana.dialog.getByText("Está anulada. Nadie pagó S/ 129.90.")).toBeVisible();
  await ana.closeDialog();
  await expect(ana.element.getByText("Quién hizo qué")).toBeVisible();
  await payer.sees("cancelled");
});

test("a payment that landed meanwhile is left alone", async ({ waiting: { payer, order, number }, sandbox, invariants, signIn }) => {
  invariants.expects(/status of 409 .*\/api\/staff\/charges\//);
  const ana = await signIn("ana");
  await ana.look(number);
  await ana.button("cancel").click();
  await payer.pays();
  await ana.button("cancelYes", ana.dialog).click();
  await expect(ana.dialog.getByText("La operación ya está pagada. No se anuló nada.")).toBeVisible();
  expect(await sandbox.cancellations(order)).toEqual([]);
  await payer.sees("paid");
});

test("a paid operation is reversed by whoever types its number, and its payer sees it", { tag: "@quick" }, async ({
  waiting: { payer, order, number, checkout },
  signIn,
}) => {
  await payer.pays();
  await payer.sees("paid");
  const ana = await signIn("ana");
  await ana.look(number);
  await ana.button("reverse").click();
  const yes = ana.button("reverseYes", ana.dialog);
  await expect(yes).toBeDisabled();
  await ana.dialog.getByLabel(ana.words.reverseConfirm).fill(number.slice(-4));
  await yes.click();
  await expect(ana.dialog.getByText("El pago de S/ 129.90 fue revertido.")).toBeVisible();
  await ana.closeDialog();
  await expect(ana.element.getByText("Pagada y revertida")).toBeVisible();
  // When the payer looks at the page again, the element tells the payer and the page.
  await payer.comesBack();
  await payer.sees("reversed");
  const outcomes = checkout.heard("checkout-result").map(({ detail }) => detail.outcome);
  expect(outcomes).toEqual(["paid", "reversed"]);
  expect(await order.state()).toBe("open");
});

test("what was paid twice is listed until one of the two is given back", async ({
  waiting: { payer, order, number: first },
  sandbox,
  signIn,
}) => {
  await sandbox.drive(first, "expire");
  await payer.sees("expired");
  await payer.presses("newQr");
  await payer.seesCode();
  const second = await order.numberAfter(first);
  await payer.pays(second);
  await payer.sees("paid");
  await sandbox.drive(first, "pay", { late: true });
  const ana = await signIn("ana");
  await ana.look(first);
  await expect(ana.element.getByText(/Este pedido se pagó dos veces/)).toBeVisible();

  await ana.button("reverse").click();
  await ana.dialog.getByLabel(ana.words.reverseConfirm).fill(first.slice(-4));
  await ana.button("reverseYes", ana.dialog).click();
  await ana.closeDialog();
  await expect(ana.element.getByText(/Este pedido se pagó dos veces/)).toBeHidden();
  expect(await sandbox.state(second)).toBe("AUTORIZADO");
  expect(await order.state()).toBe("paid");
});

test("what the service reversed says so, and there is nothing left to do", async ({ signIn, sell, sandbox }) => {
  const sale = await sell("pay");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  await ana.button("reverse").click();
  await ana.dialog.getByLabel(ana.words.reverseConfirm).fill("000");
  await expect(ana.button("reverseYes", ana.dialog)).toBeDisabled();
  await ana.button("keep", ana.dialog).click();
  await sandbox.drive(sale.number, "reverse");
  await ana.query();
  await expect(ana.element.getByText("EXTORNADO").filter({ visible: true }).first()).toBeVisible();
  await expect(ana.button("cancel")).toHaveCount(0);
  await expect(ana.element.getByText("Ya terminó sin un pago que devolver.")).toBeVisible();
  await expect(ana.button("refund")).toHaveCount(0);
  expect(await sandbox.cancellations(sale.order)).toEqual([]);
});
