// Refunds whose answer is lost: nobody gives money back twice.

import { expect, test } from "./test.mjs";

test("a refund whose answer is lost is found", async ({ signIn, sell, world }) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  await world.faults({ method: "POST", path: "/refund", kind: "drop", when: "after" });
  await ana.refund("30.00");
  await expect(ana.dialog.getByText("Registrado", { exact: true })).toBeVisible();
  await ana.closeDialog();
  await expect(ana.element.getByText("Queda por reembolsar: S/ 99.90")).toBeVisible();
  expect(await sale.refunded()).toEqual([3000]);
});

test("a refund that may not have arrived stays reserved until a second person releases it", async ({
  signIn,
  sell,
  world,
}) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  await world.faults({ method: "POST", path: "/refund", kind: "drop", when: "before" });
  await ana.refund("30.00");
  await expect(ana.dialog.getByText("En duda", { exact: true })).toBeVisible();
  await ana.closeDialog();
  await expect(ana.element.getByText("Queda por reembolsar: S/ 99.90")).toBeVisible();
  // Not by the one who asked for it.
  await expect(ana.element.getByText("Lo libera otra persona, no quien lo pidió.")).toBeVisible();

  const bea = await signIn("bea");
  await bea.element.getByRole("button", { name: "Por revisar" }).click();
  const listed = bea.element.getByRole("heading", {
    name: "No se sabe si el servicio recibió un reembolso",
  });
  await expect(listed.first()).toBeVisible();
  await bea.element.getByRole("button", { name: "Operaciones" }).click();
  await bea.look(sale.number);
  await bea.element.getByRole("button", { name: "Liberar el monto" }).click();
  await bea.dialog.getByLabel("Cómo se sabe que no llegó").fill("El servicio lo confirmó por escrito");
  await bea.dialog.getByRole("button", { name: "Sí, liberar" }).click();
  await expect(bea.element.getByText("Queda por reembolsar: S/ 129.90")).toBeVisible();
  await expect(bea.element.getByText("Liberado por bea")).toBeVisible();
  expect(await sale.refunded()).toEqual([]);
});

test("staff are told that the merchant's token ran out", async ({ signIn, sell, world, witness }) => {
  witness.expects(/status of 503 .*\/api\/staff\/charges\//);
  const sale = await sell("pay");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  await world.settings({ token_expired: true });
  await expect(ana.button("query")).not.toHaveAttribute("aria-disabled", "true");
  await ana.query();
  await expect(ana.element.getByText(/no acepta el token del comercio/)).toBeVisible();
});
