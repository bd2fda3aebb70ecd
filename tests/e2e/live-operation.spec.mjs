// A payer who began in another tab, on another device, or yesterday: the code is found, and no choice ends it
// unasked.

import { expect, test } from "./support/fixtures.mjs";

/** @import { Payer } from "./support/payer.mjs" */

const DAY = 24 * 3_600_000;

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

test("a cash code is there again in a new tab, and on the next day in another window", async ({ payer, order, device, sandbox }) => {
  await payer.begins({ method: "CASHCODE" });
  const first = await code(payer);
  await payer.page.close();

  const tab = await payer.tab();
  await tab.opens();
  expect(await code(tab)).toBe(first);
  expect(tab.checkout.heardOnce("checkout-pending")).toMatchObject({ method: "CASHCODE" });

  const later = await device(await payer.session());
  await later.page.clock.install({ time: Date.now() + DAY });
  await later.opens({ order });
  expect(await code(later)).toBe(first);
  expect(await sandbox.authorizations(order)).toHaveLength(1);

  await payer.pays();
  await expect.poll(() => order.state()).toBe("paid");
  // A cash code is asked about twice a minute, and whenever the payer comes back.
  await tab.comesBack();
  await tab.sees("paid");
});

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

test("a code that is paid while the payer is asked is shown as paid", async ({ payer, order, sandbox, invariants }) => {
  invariants.expects(/status of 409 .*\/api\/charges/);
  const second = await twoTabs(payer);
  await second.checkout.cashButton.click();
  await second.sees("liveQr");
  await payer.pays();
  await second.sees("paid");
  await payer.sees("paid");
  expect(await sandbox.cancellations(order)).toEqual([]);
});

test("an answer that comes after a press changes nothing", async ({ waiting: { payer, order }, sandbox }) => {
  const second = await payer.tab();
  /** @type {() => void} */
  let release = () => {};
  const held = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  await second.page.route("**/api/charges/live", async (route) => {
    await held;
    await route.abort();
  });
  await second.opens();
  await second.checkout.qrButton.click();
  await second.seesCode();
  release();
  await second.page.unrouteAll({ behavior: "wait" });
  expect(await sandbox.authorizations(order)).toHaveLength(1);
  expect(second.checkout.heard("checkout-error")).toEqual([]);
});

test("whatever the server answers instead of an operation, the choice stays", async ({ payer, invariants }) => {
  invariants.allows(/Failed to load resource|docs\/diagnostics\.md/);
  const answers = [
    { status: 204 },
    { status: 200, body: "{}" },
    { status: 200, body: "<p>" },
    { status: 404 },
    { status: 503 },
  ];
  for (const answer of answers) {
    await payer.page.route("**/api/charges/live", (route) => route.fulfill(answer));
    const asked = payer.page.waitForResponse("**/api/charges/live");
    await payer.opens();
    await asked;
    await payer.checkout.works();
    await payer.sees("choosing");
    await payer.page.unrouteAll({ behavior: "wait" });
  }
  expect(payer.checkout.heard("checkout-error")).toEqual([]);
  await payer.chooses("QR");
});
