// A payer who began in another tab, on another device, or yesterday: the code is found, and no choice ends it
// unasked.

import { expect, test } from "./support/fixtures.mjs";

/** @import { Payer } from "./support/fixtures.mjs" */

const DAY = 24 * 3_600_000;

/** The cash code on the screen. @param {Payer} payer */
const code = async ({ checkout }) => {
  await checkout.shows("cash");
  return checkout.element.locator("[part=code]").innerText();
};

/** @param {Payer} payer @param {RegExp} name */
const press = ({ checkout }, name) => checkout.element.getByRole("button", { name }).click();

/** A tab that was opened before the order had a code, and one with the QR. */
async function twoTabs({ context, payer, order, visit }) {
  const second = await visit(context);
  const asked = second.page.waitForResponse("**/api/charges/live");
  await second.shop.openOrder(order);
  expect((await asked).status()).toBe(204);
  await second.checkout.works();
  await payer.shop.openOrder(order);
  await payer.checkout.payByQr();
  return second;
}

test("a cash code is there again in a new tab, and on the next day in another window", async ({
  context,
  payer,
  order,
  device,
  visit,
  sandbox,
}) => {
  await payer.shop.openOrder(order);
  await payer.checkout.payInCash();
  const first = await code(payer);
  await payer.page.close();

  const tab = await visit(context);
  await tab.shop.openOrder(order);
  expect(await code(tab)).toBe(first);
  expect(tab.checkout.heardOnce("checkout-pending")).toMatchObject({ method: "CASHCODE" });

  const later = await device({ storageState: { cookies: await context.cookies(), origins: [] } });
  await later.page.clock.install({ time: Date.now() + DAY });
  await later.shop.openOrder(order);
  expect(await code(later)).toBe(first);
  expect(await sandbox.authorizations(order)).toHaveLength(1);

  await sandbox.drive(await order.number(), "pay");
  await expect.poll(() => order.state()).toBe("paid");
  // A cash code is asked about twice a minute, and whenever the payer comes back.
  await tab.page.evaluate(() => dispatchEvent(new Event("focus")));
  await tab.checkout.shows("paid");
});

test("a QR is the same in a second tab, which cancels it like its own", async ({
  context,
  payer,
  order,
  visit,
  sandbox,
}) => {
  await payer.shop.openOrder(order);
  await payer.checkout.payByQr();
  const second = await visit(context);
  await second.shop.openOrder(order);
  await second.checkout.showsQr();
  expect(await second.checkout.picture()).toBe(await payer.checkout.picture());
  expect(await sandbox.authorizations(order)).toHaveLength(1);

  await second.page.reload();
  await second.checkout.showsQr();
  await second.checkout.cancel();
  await second.checkout.shows("cancelled");
  await payer.checkout.shows("cancelled");
  await expect(payer.checkout.element.getByText("Se anuló desde otra página de este pedido.")).toBeVisible();
});

test("a second tab that chooses another method is asked, and sees the code of the first", async ({
  context,
  payer,
  order,
  visit,
  sandbox,
  invariants,
}) => {
  invariants.expects(/status of 409 .*\/api\/charges/);
  const second = await twoTabs({ context, payer, order, visit });
  await second.checkout.installmentButton.click();
  await second.checkout.shows("liveQr");
  await expect(second.checkout.element.getByText(/^Todavía puedes pagar con QR\./)).toBeVisible();
  await second.checkout.button("seeLive").click();
  await second.checkout.showsQr();
  expect(await second.checkout.picture()).toBe(await payer.checkout.picture());
  expect(second.checkout.heard("checkout-action").at(-1).detail).toEqual({
    action: "live-shown",
    method: "QR",
  });
  expect(await sandbox.cancellations(order)).toEqual([]);

  await sandbox.drive(await order.number(), "pay");
  await payer.checkout.shows("paid");
  await second.checkout.shows("paid");
});

test("a second tab replaces the code once the payer agrees, also after a reload, and the first says why", async ({
  context,
  payer,
  order,
  visit,
  sandbox,
  invariants,
}) => {
  invariants.expects(/status of 409 .*\/api\/charges/);
  const second = await twoTabs({ context, payer, order, visit });
  const number = await order.number();
  await second.checkout.cashButton.click();
  await second.checkout.shows("liveQr");
  expect(await sandbox.state(number)).toBe("PENDIENTE");
  await second.page.reload();
  await second.checkout.shows("liveQr");
  await press(second, /^Anular el anterior y pagar en efectivo$/);
  await code(second);

  await payer.checkout.shows("cancelled");
  await expect(payer.checkout.element.getByText(/^En otra pestaña o dispositivo se eligió/)).toBeVisible();
  expect(await sandbox.state(number)).toBe("CANCELADO");
  const live = (await order.operations()).filter(({ live }) => live);
  expect(live.map(({ method_name }) => method_name)).toEqual(["CASHCODE"]);

  // Who wants the QR again is asked about the new code.
  await payer.checkout.button("another").click();
  await payer.checkout.qrButton.click();
  await payer.checkout.shows("liveCode");
  await expect(payer.checkout.element.getByText(/^Todavía puedes pagar en efectivo\./)).toBeVisible();
});

test("a code that is paid while the payer is asked is shown as paid", async ({
  context,
  payer,
  order,
  visit,
  sandbox,
  invariants,
}) => {
  invariants.expects(/status of 409 .*\/api\/charges/);
  const second = await twoTabs({ context, payer, order, visit });
  await second.checkout.cashButton.click();
  await second.checkout.shows("liveQr");
  await sandbox.drive(await order.number(), "pay");
  await second.checkout.shows("paid");
  await payer.checkout.shows("paid");
  expect(await sandbox.cancellations(order)).toEqual([]);
});

test("an answer that comes after a press changes nothing", async ({ context, payer, order, visit, sandbox }) => {
  await payer.shop.openOrder(order);
  await payer.checkout.payByQr();
  const second = await visit(context);
  /** @type {() => void} */
  let release = () => {};
  const held = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  await second.page.route("**/api/charges/live", async (route) => {
    await held;
    await route.abort();
  });
  await second.shop.openOrder(order);
  await second.checkout.qrButton.click();
  await second.checkout.showsQr();
  release();
  await second.page.unrouteAll({ behavior: "wait" });
  expect(await sandbox.authorizations(order)).toHaveLength(1);
  expect(second.checkout.heard("checkout-error")).toEqual([]);
});

test("whatever the server answers instead of an operation, the choice stays", async ({
  order,
  payer,
  invariants,
}) => {
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
    await payer.shop.openOrder(order);
    await asked;
    await payer.checkout.works();
    await payer.checkout.shows("choosing");
    await payer.page.unrouteAll({ behavior: "wait" });
  }
  expect(payer.checkout.heard("checkout-error")).toEqual([]);
  await payer.checkout.payByQr();
});
