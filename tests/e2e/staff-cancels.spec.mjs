// Tests cancelling and reversing, and what becomes of an order that was paid twice.

import { expect, test } from "./support/fixtures.mjs";
import { inGroups } from "./support/pages/staff.mjs";

/** An order whose QR expired, whose second QR was paid, and whose first was paid all the same. */
async function payTwice({ payer, order, number: first }, sandbox) {
  await sandbox.drive(first, "expire");
  await payer.sees("expired");
  await payer.presses("newQr");
  await payer.seesCode();
  const second = await order.numberAfter(first);
  await payer.pays(second);
  await payer.sees("paid");
  await sandbox.drive(first, "pay", { late: true });
  return { first, second };
}

/** The list, asked anew until it says of an operation what it should. */
async function listed(staff, number, what) {
  await staff.button("exceptions").click();
  const entry = staff.exception(number).filter({ hasText: what });
  await expect(async () => {
    await staff.button("refresh").click();
    await expect(entry).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 15_000 });
  return entry;
}

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

test("what was paid twice is listed until one of the two is given back", async ({ waiting, sandbox, signIn }) => {
  const { first, second } = await payTwice(waiting, sandbox);
  const ana = await signIn("ana");
  await ana.look(first);
  await expect(ana.element.getByText(/Este pedido se pagó dos veces/)).toBeVisible();

  await ana.button("reverse").click();
  await ana.dialog.getByLabel(ana.words.reverseConfirm).fill(first.slice(-4));
  await ana.button("reverseYes", ana.dialog).click();
  await ana.closeDialog();
  await expect(ana.element.getByText(/Este pedido se pagó dos veces/)).toBeHidden();
  expect(await sandbox.state(second)).toBe("AUTORIZADO");
  expect(await waiting.order.state()).toBe("paid");
});

test("what was paid twice is given back by hand, and written down", { tag: "@quick" }, async ({ waiting, sandbox, invariants, signIn }) => {
  invariants.expects(/status of 400 .*\/api\/staff\/returns\)/);
  const { first, second } = await payTwice(waiting, sandbox);
  const ana = await signIn("ana");
  await ana.look(first);
  const entry = await listed(ana, first, "El pedido se pagó dos veces");
  await entry.getByRole("button", { name: inGroups(first) }).click();
  await expect(ana.operation(first)).toBeVisible();

  await ana.button("record").click();
  const amount = ana.dialog.getByLabel("Monto en PEN");
  await amount.fill("129.91");
  await ana.dialog.getByLabel("Cómo se devuelve y por qué").fill("Transferencia, pagó dos veces");
  await ana.button("recordYes", ana.dialog).click();
  await expect(ana.dialog.getByText(/es más de lo que está pagado/)).toBeVisible();
  await amount.fill("129.90");
  await ana.button("recordYes", ana.dialog).click();
  await expect(ana.dialog).toBeHidden();
  await expect(ana.element.getByText("Transferencia, pagó dos veces").first()).toBeVisible();
  await expect(ana.element.getByText("Reservó o registró una devolución")).toBeVisible();
  // The money leaves only now. Afterwards a person records it.
  await ana.button("made").click();
  await ana.dialog.getByLabel(/^Cómo se comprueba/).fill("Transferencia 7731");
  await ana.button("madeYes", ana.dialog).click();
  await expect(ana.dialog).toBeHidden();
  await expect(ana.element.getByText("Hizo una devolución")).toBeVisible();
  await expect(ana.element.getByText(/Este pedido se pagó dos veces/)).toBeHidden();

  await ana.button("exceptions").click();
  await ana.button("refresh").click();
  for (const number of [first, second]) {
    const twice = ana.exception(number).filter({ hasText: "El pedido se pagó dos veces" });
    await expect(twice).toHaveCount(0);
  }
  // The service was asked for nothing.
  expect(await sandbox.cancellations(waiting.order)).toEqual([]);
});
