// Tests the exceptions: the list keeps each one until it is settled in the books.

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

test("whoever dealt with it says how, and whoever only looks cannot", async ({ waiting, sandbox, signIn }) => {
  const { first } = await payTwice(waiting, sandbox);
  const mira = await signIn("mira");
  await mira.look(first);
  const seen = await listed(mira, first, "El pedido se pagó dos veces");
  await expect(mira.button("resolve", seen)).toHaveAttribute("aria-disabled", "true");
  await expect(seen.getByText(/^Tu cuenta no puede hacer esto/)).toBeVisible();

  const bea = await signIn("bea");
  const entry = await listed(bea, first, "El pedido se pagó dos veces");
  await bea.button("resolve", entry).click();
  await bea.button("resolveYes", bea.dialog).click();
  await expect(bea.dialog.getByText("Escribe un motivo.")).toBeVisible();
  await bea.dialog.getByLabel("Qué se hizo").fill("La clienta quiso dos mochilas");
  await bea.button("resolveYes", bea.dialog).click();
  await expect(bea.dialog).toBeHidden();
  await expect(entry).toHaveCount(0);
  await bea.button("operations").click();
  await bea.look(first);
  await expect(bea.element.getByText(/La clienta quiso dos mochilas/)).toBeVisible();
});
