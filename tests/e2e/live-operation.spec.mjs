// A payer who began in another tab or on another device: the code is found, and no choice ends it unasked.

import { expect, test } from "./support/fixtures.mjs";

/** @import { Payer } from "./support/payer.mjs" */

/** The cash code on the screen. @param {Payer} payer */
const code = async (payer) => {
  await payer.sees("cash");
  return payer.checkout.element.locator("[part=code]").innerText();
};

/** Gives the payer a QR, and another tab that was opened before it. @param {Payer} payer */
async function twoTabs(payer) {
  const second = await payer.tab();
  const asked = second.page.waitForResponse("**/api/charges/live");
  await second.opens();
  expect((await asked).status()).toBe(204);
  await second.checkout.works();
  await payer.begins();
  return second;
}

test("a QR is the same in a second tab, which cancels it like its own", { tag: "@quick" }, async ({ waiting: { payer, order }, sandbox }) => {
  const second = await payer.tab();
  await second.opens();
  await second.seesCode();
  expect(await second.checkout.picture()).toBe(await payer.checkout.picture());
  expect(await sandbox.authorizations(order)).toHaveLength(1);

  await second.reloads();
  await second.seesCode();
  await second.checkout.cancel();
  await second.sees("cancelled");
  await payer.sees("cancelled");
  await expect(payer.checkout.element.getByText("Se anuló desde otra página de este pedido.")).toBeVisible();
});

test("a second tab that chooses another method is asked, and sees the code of the first", { tag: "@quick" }, async ({
  payer,
  order,
  sandbox,
  invariants,
}) => {
  invariants.expects(/status of 409 .*\/api\/charges/);
  const second = await twoTabs(payer);
  await second.checkout.installmentButton.click();
  await second.sees("liveQr");
  await expect(second.checkout.element.getByText(/^Todavía puedes pagar con QR\./)).toBeVisible();
  await second.presses("seeLive");
  await second.seesCode();
  expect(await second.checkout.picture()).toBe(await payer.checkout.picture());
  expect(second.checkout.heard("checkout-action").at(-1).detail).toEqual({
    action: "live-shown",
    method: "QR",
  });
  expect(await sandbox.cancellations(order)).toEqual([]);

  await payer.pays();
  await payer.sees("paid");
  await second.sees("paid");
});

test("a second tab replaces the code once the payer agrees, also after a reload, and the first says why", async ({
  payer,
  order,
  sandbox,
  invariants,
}) => {
  invariants.expects(/status of 409 .*\/api\/charges/);
  const second = await twoTabs(payer);
  const number = await order.number();
  await second.checkout.cashButton.click();
  await second.sees("liveQr");
  expect(await sandbox.state(number)).toBe("PENDIENTE");
  await second.reloads();
  await second.sees("liveQr");
  await second.checkout.element.getByRole("button", { name: /^Anular el anterior y pagar en efectivo$/ }).click();
  await code(second);

  await payer.sees("cancelled");
  await expect(payer.checkout.element.getByText(/^En otra pestaña o dispositivo se eligió/)).toBeVisible();
  expect(await sandbox.state(number)).toBe("CANCELADO");
  const live = (await order.operations()).filter(({ live }) => live);
  expect(live.map(({ method_name }) => method_name)).toEqual(["CASHCODE"]);

  // Who wants the QR again is asked about the new code.
  await payer.presses("another");
  await payer.checkout.qrButton.click();
  await payer.sees("liveCode");
  await expect(payer.checkout.element.getByText(/^Todavía puedes pagar en efectivo\./)).toBeVisible();
});
