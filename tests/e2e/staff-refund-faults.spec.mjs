// Refunds on a bad day of the service: nothing is given back twice, and nothing gets lost.

import { expect, test } from "./support/fixtures.mjs";
import { inGroups } from "./support/pages/staff.mjs";

const refunding = (fault) => ({ method: "POST", path: "/refund", times: 1, ...fault });

/** Every request for a refund that the service saw of a sale. */
const asked = async (sandbox, sale) =>
  sandbox.journal(sale.order, { method: "POST", path: /^\/refund$/ });

test("a refund whose answer is lost is found again, and not sent again", { tag: "@quick" }, async ({
  signIn,
  sell,
  sandbox,
  controls,
}) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  await controls.faults(refunding({ kind: "drop", when: "after" }));
  await ana.refund("10.00");
  await expect(ana.dialog.getByText("Registrado", { exact: true })).toBeVisible();
  await ana.closeDialog();
  await expect(ana.left("S/ 119.90")).toBeVisible();
  expect(await controls.faultsLeft()).toBe(0);
  expect(await asked(sandbox, sale)).toHaveLength(1);
  expect(await sale.refunded()).toEqual([1000]);
});

test("one that never arrived keeps its amount until somebody else releases it", async ({
  signIn,
  sell,
  controls,
}) => {
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  await controls.faults(refunding({ kind: "drop", when: "before" }));
  await ana.refund("100.00");
  await expect(ana.dialog.getByText("En duda", { exact: true })).toBeVisible();
  await ana.closeDialog();
  await expect(ana.left("S/ 29.90")).toBeVisible();
  await ana.typeRefund("29.91");
  await ana.button("review", ana.dialog).click();
  await expect(ana.dialog.getByText("Es más de lo que queda: S/ 29.90.")).toBeVisible();
  await ana.page.keyboard.press("Escape");

  // The person who asked for the refund may not release it.
  await expect(ana.button("release")).toHaveAttribute("aria-disabled", "true");
  await expect(ana.element.getByText("Esto lo hace otra persona, no quien lo pidió.")).toBeVisible();
  const code = "demo-merchant";
  const path = `/api/staff/operations/${code}/${sale.number}`;
  const [attempt] = (await (await ana.page.request.get(path)).json()).attempts;
  const released = await ana.page.request.post(
    `/api/staff/refund-attempts/${attempt.attempt_id}/release`,
    { data: { reason: "yo misma" } },
  );
  expect(released.status(), await released.text()).toBe(403);

  const bea = await signIn("bea");
  await bea.button("exceptions").click();
  const entry = bea.exception(sale.number);
  await expect(entry.getByText("No se sabe si el servicio recibió un reembolso")).toBeVisible();
  await entry.getByRole("button", { name: inGroups(sale.number) }).click();
  await bea.button("release").click();
  await expect(bea.dialog.getByText(/100\.00 se podrá reembolsar otra vez/)).toBeVisible();
  await bea.button("releaseYes", bea.dialog).click();
  await expect(bea.dialog.getByText("Escribe un motivo.")).toBeVisible();
  await bea.dialog.getByLabel("Cómo se sabe que no llegó").fill("El servicio lo confirmó");
  await bea.button("releaseYes", bea.dialog).click();
  await expect(bea.element.getByText("Liberado por bea")).toBeVisible();
  await expect(bea.left("S/ 129.90")).toBeVisible();
  await expect(bea.element.getByText("El servicio lo confirmó").first()).toBeVisible();

  await bea.refund("129.90");
  expect(await sale.refunded()).toEqual([12990]);
});

test("without the service's consent nothing is sent, and what was typed stays", async ({
  signIn,
  sell,
  controls,
  invariants,
}) => {
  invariants.expects(/status of 5\d\d .*\/api\/staff\/refund\)/);
  const sale = await sell("pay", "settle");
  const ana = await signIn("ana");
  await ana.look(sale.number);
  await controls.faults({ path: "/refund", kind: "status", status: 401, when: "before", times: 99 });
  await ana.typeRefund("12.34");
  await ana.button("review", ana.dialog).click();
  await ana.button("sendRefund", ana.dialog).click();
  await expect(
    ana.dialog.getByText(/^El servicio de pagos no acepta el token del comercio/),
  ).toBeVisible();
  expect(await sale.refunded()).toEqual([]);

  await controls.faults();
  await expect(ana.dialog.getByText("S/ 12.34")).toBeVisible();
  await ana.button("sendRefund", ana.dialog).click();
  await expect(ana.results).toBeVisible();
  expect(await sale.refunded()).toEqual([1234]);
});
