// Tests a service in trouble: the payer's screens, and the requests that the service received.

import { expect, test } from "./support/fixtures.mjs";

const authorizing = (fault) => ({ method: "POST", path: "/charges", ...fault });
const asking = (number, fault) => ({
  method: "GET",
  path: `/charges/*/${number}/*`,
  times: 99,
  ...fault,
});

const LOST_ANSWERS = {
  dropped: { kind: "drop", when: "after" },
  "cut short": { kind: "cut", bytes: 40 },
  "an error": { kind: "status", status: 502, when: "after" },
  "half a page": { kind: "malformed", html: true },
};

for (const [name, fault] of Object.entries(LOST_ANSWERS)) {
  test(`an authorization whose answer is ${name} leaves one code to pay`, { tag: "@quick" }, async ({ payer, order, checkout, sandbox, controls }) => {
    await controls.faults(authorizing(fault));
    await payer.opens();
    await payer.chooses("QR");

    const operations = await order.operations();
    expect(operations).toHaveLength(2);
    const shown = operations.find(({ live }) => live).merchant_operation_number;
    const lost = operations.find(({ live }) => !live).merchant_operation_number;
    expect(await checkout.scan()).toBe((await sandbox.operation(shown)).qr_content);
    await expect.poll(() => sandbox.state(lost)).toBe("CANCELADO");
    const seen = await sandbox.authorizations(order);
    expect(seen.map(({ amount, accepted }) => ({ amount, accepted }))).toEqual([
      { amount: order.amount, accepted: true },
      { amount: order.amount, accepted: true },
    ]);

    await payer.pays(shown);
    await payer.sees("paid");
  });
}

test("who checks while the service is down reads that nobody answers, and since when", async ({
  waiting: { payer, number, checkout },
  controls,
}) => {
  await controls.faults(asking(number, { kind: "drop", when: "before" }));
  const told = checkout.element.getByText(/no responde ahora\. Última respuesta: \d+:\d\d:\d\d/);
  // A fresh answer needs no new question. Five seconds later it does.
  await expect(async () => {
    await payer.presses("check");
    await expect(told.first()).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await payer.seesCode();
  await controls.faults();
  // The next answer is still the payer's.
  await expect(checkout.element.getByText(/Aún no vemos tu pago/).first()).toBeVisible();
  await payer.pays();
  await payer.sees("paid");
});

test("a service that fails for a while costs some patience, and no second code", { tag: "@quick" }, async ({
  payer,
  order,
  sandbox,
  controls,
  invariants,
}) => {
  invariants.expects(/status of 503 .*\/api\/charges\)/);
  await controls.faults(authorizing({ kind: "status", status: 500, times: 3 }));
  await payer.opens();
  await payer.chooses("QR");
  const accepted = (await sandbox.authorizations(order)).filter((entry) => entry.accepted);
  expect(accepted).toHaveLength(1);
});

test("a service that is down is told as such, and tried again on demand", async ({
  payer,
  order,
  checkout,
  sandbox,
  controls,
  invariants,
}) => {
  invariants.expects(/status of 503 .*\/api\/charges\)/);
  await controls.faults(authorizing({ kind: "status", status: 500, times: 99 }));
  await payer.opens();
  await checkout.qrButton.click();
  await expect(checkout.heading("server")).toBeVisible({ timeout: 40_000 });
  expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "server", retryable: true });

  await controls.faults();
  await payer.presses("retry");
  await payer.seesCode();
  const accepted = (await sandbox.authorizations(order)).filter((entry) => entry.accepted);
  expect(accepted).toHaveLength(1);
});

test("a rejected authorization can be tried again", { tag: "@quick" }, async ({ payer, order, checkout, sandbox, controls }) => {
  await controls.settings({ invalidate_next: 1 });
  await payer.opens();
  await checkout.qrButton.click();
  await payer.sees("invalid");
  expect(checkout.heardOnce("checkout-result")).toMatchObject({ outcome: "invalid" });
  await payer.presses("retry");
  await payer.chooses("QR");
  expect(await sandbox.authorizations(order)).toHaveLength(2);
});

test("a service that wants fewer questions gets few, and the payment is seen all the same", async ({
  waiting: { payer, order, number, checkout },
  sandbox,
  controls,
}) => {
  await controls.faults(
    { kind: "lose_notification", times: 99 },
    asking(number, { kind: "status", status: 429, retry_after: 60, times: 1 }),
  );
  const refusal = () =>
    sandbox.journal(order, { method: "GET" }).then((all) => all.findIndex((e) => e.status === 429));
  await expect.poll(refusal).toBeGreaterThanOrEqual(0);
  await payer.pays();
  await expect(checkout.image).toBeVisible();
  await payer.sees("paid");

  const asked = (await sandbox.journal(order, { method: "GET" })).map((e) => Date.parse(e.time));
  const since = asked.slice(await refusal());
  expect(since.length).toBeGreaterThan(1);
  // All clients together may ask twice a second, so one client asks far less.
  expect(since.length).toBeLessThanOrEqual(2 + 2 * ((since.at(-1) - since[0]) / 1_000));
});

for (const [name, fault] of Object.entries({
  "half a document": { kind: "malformed" },
  "an error page": { kind: "malformed", html: true },
  "cut short": { kind: "cut", bytes: 60 },
  errors: { kind: "status", status: 500 },
})) {
  test(`answers that are ${name} end nothing`, async ({ waiting: { payer, order, number, checkout }, sandbox, controls }) => {
    await controls.faults(asking(number, { ...fault, times: 2 }));
    const failed = async () =>
      (await sandbox.journal(order, { method: "GET" })).filter((entry) => entry.fault).length;
    await expect.poll(failed).toBe(2);
    await payer.seesCode();
    expect(checkout.heard("checkout-error")).toEqual([]);
    await payer.pays();
    await payer.sees("paid");
  });
}

test("a service that is slow costs patience and nothing else", async ({ payer, order, checkout, sandbox, controls }) => {
  await controls.faults({ kind: "delay", ms: 4_000, times: 99 });
  await payer.opens();
  await checkout.qrButton.click();
  await payer.sees("authorizing");
  await payer.seesCode();
  await payer.pays();
  await payer.sees("paid");
  expect(await sandbox.authorizations(order)).toHaveLength(1);
  expect(checkout.heard("checkout-error")).toEqual([]);
});

test("a state that nobody knows is neither paid nor failed, and is not cancelled", { tag: "@quick" }, async ({
  waiting: { payer, order, number, checkout, shop },
  sandbox,
  controls,
  invariants,
}) => {
  invariants.allows(/the state "autorizado" is none .*#unknown-state\)/);
  await controls.faults(asking(number, { kind: "unknown_state", state: "autorizado" }));
  await payer.sees("confirming");
  await expect(shop.thanks).toBeHidden();
  expect(checkout.heard("checkout-result")).toEqual([]);
  expect(await order.state()).toBe("open");

  // It may be paid, so it is not cancelled.
  await checkout.cancel();
  await payer.sees("confirming");
  await expect(checkout.text("cancelFailed")).toBeVisible();
  expect(await sandbox.cancellations(order)).toEqual([]);

  await payer.pays();
  await controls.faults();
  await payer.sees("paid");
});

test("with every notification lost it is paid all the same", { tag: "@quick" }, async ({ payer, shop, controls }) => {
  await controls.faults({ kind: "lose_notification", times: 999 });
  await payer.begins();
  await payer.pays();
  await payer.sees("paid");
  await expect(shop.thanks).toBeVisible();
});

test("a notification that comes twice is one result", async ({ payer, checkout, shop, controls }) => {
  await controls.faults({ kind: "duplicate_notification", times: 9 });
  await payer.begins();
  await payer.pays();
  await expect(shop.thanks).toBeVisible();
  checkout.heardOnce("checkout-result");
});

test("another amount than the order's is no payment", async ({ waiting: { payer, order, number, checkout, shop }, controls }) => {
  const pointer = "/operation/transactions/0/amount";
  await controls.faults(asking(number, { kind: "replace", pointer, value: "1" }));
  await payer.pays();
  await expect
    .poll(async () => (await order.operations())[0].mismatch)
    .toBe(true);
  expect(await order.state()).toBe("open");
  await expect(shop.thanks).toBeHidden();
  await expect(checkout.heading("paid")).toBeHidden();
  expect(checkout.heard("checkout-result")).toEqual([]);

  await controls.faults();
  await payer.sees("paid");
});

test("what the service says of a refusal is text and nothing else", async ({
  waiting: { payer, number, checkout, page },
  sandbox,
  controls,
}) => {
  const value = "<img src=x onerror=alert(1)><b>Sin saldo</b>";
  const pointer = "/operation/transactions/0/state_reason";
  await controls.faults(asking(number, { kind: "replace", pointer, value }));
  await sandbox.drive(number, "decline");
  await payer.sees("declined");
  await checkout.element.getByText("Detalles").click();
  await expect(checkout.element.getByText(value)).toBeVisible();
  await expect(page.locator("payment-checkout img:not([slot])")).toHaveCount(0);
});

test("a code that is no picture is never shown", async ({ payer, checkout, page, controls, invariants }) => {
  invariants.allows(/qr_image does not begin with .*#qr-image\)/);
  const pointer = "/transaction/processor_response/qr_image";
  const value = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=";
  await controls.faults(authorizing({ kind: "replace", pointer, value }));
  await payer.opens();
  await checkout.qrButton.click();
  await payer.sees("badPicture");
  await expect(page.locator("payment-checkout img:not([slot])")).toHaveCount(0);
  expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "qr-image" });
  expect(checkout.heard("checkout-pending")).toEqual([]);
});

for (const address of ["javascript:alert(1)", "http://elsewhere.example/", "data:text/html,x"]) {
  test(`the payer is not led to ${address.split(/[/,(]/)[0]}`, async ({ payer, order, checkout, page, controls, invariants }) => {
    invariants.allows(/continue_url leads to .*#continue-url\)/);
    const pointer = "/transaction/continue_url";
    await controls.faults(authorizing({ kind: "replace", pointer, value: address }));
    await payer.opens();
    await checkout.installmentButton.click();
    await payer.sees("badAddress");
    await expect(checkout.continueLink).toHaveCount(0);
    expect(checkout.heard("checkout-redirect")).toEqual([]);
    expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "continue-url" });
    await expect(page).toHaveURL(new RegExp(`order=${order.id}`));
  });
}

test("the shop hears of a payment the next day, though nobody told it", async ({
  waiting: { payer, order },
  sandbox,
  controls,
}) => {
  await payer.page.close();
  await controls.faults({ kind: "lose_notification", times: 999 });
  await payer.pays();
  await controls.clock(86_400);

  const next = await payer.tab();
  await next.opens();
  // Nobody waits for it: the server asks about it in its turn, after others of the same day.
  await expect.poll(() => order.state(), { timeout: 45_000 }).toBe("paid");
  await next.reloads();
  await expect(next.shop.thanks).toBeVisible();
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});
