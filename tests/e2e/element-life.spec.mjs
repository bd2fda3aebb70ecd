// The element's life: another order, out of the page and back, a second copy, its states.

import { expect, test } from "./support/fixtures.mjs";
import { holdWasm } from "./support/held-wasm.mjs";
import { placeOrder } from "./support/order.mjs";

/** @typedef {import("../../npm/types/element.js").PaymentCheckout} PaymentCheckout */

test("another address to start at is another checkout, and the first one is resumed", async ({ payer, checkout }) => {
  // With that address a checkout that knows nothing finds the live operation of the order.
  await payer.opens({ attributes: { "live-url": null } });
  await payer.sees("choosing");
  const starts = (/** @type {string} */ cart) => checkout.set({ "authorize-url": `/api/charges?cart=${cart}` });
  await starts("1");
  await payer.chooses("QR");
  await starts("2");
  await payer.sees("choosing");
  await starts("1");
  await payer.seesCode();
});

test("whenFinal() belongs to the checkout that was asked", async ({ payer, checkout, page, context }) => {
  const second = await placeOrder(context);
  await payer.begins();
  await page.evaluate((id) => {
    const element = /** @type {PaymentCheckout} */ (document.querySelector("payment-checkout"));
    const told = [];
    const hear = (/** @type {string} */ name) =>
      element.whenFinal().then(
        ({ merchantOperationNumber }) => told.push(`${name} ${merchantOperationNumber}`),
        (reason) => told.push(`${name} ${reason.name}`),
      );
    Object.assign(globalThis, { told });
    hear("first");
    element.request = { order_id: id };
    hear("second");
  }, second.id);
  await payer.sees("choosing");
  await payer.chooses("QR");
  const number = await second.number();
  await payer.pays(number);
  await payer.sees("paid");
  const told = () => page.evaluate(() => Reflect.get(globalThis, "told"));
  await expect.poll(told).toEqual(["first AbortError", `second ${number}`]);
  // The answer is there for those who ask late, too.
  const late = checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => element.whenFinal());
  expect(await late).toMatchObject({ merchantOperationNumber: number });
});

test("an order that is given while the element is being made aborts nothing", async ({ payer, checkout, page, context }) => {
  const second = await placeOrder(context);
  await payer.opens();
  await payer.sees("choosing");
  const final = page.evaluate((id) => {
    const element = /** @type {PaymentCheckout} */ (document.createElement("payment-checkout"));
    element.id = "made";
    const final = element.whenFinal();
    element.baseUrl = "/api";
    element.request = { order_id: id };
    document.querySelector("main")?.append(element);
    return final;
  }, second.id);
  await checkout.at(page.locator("#made")).payByQr();
  const number = await second.number();
  await payer.pays(number);
  expect(await final).toMatchObject({ merchantOperationNumber: number, outcome: "paid" });
});

for (const [end, screen] of /** @type {const} */ ([
  ["pay", "paid"],
  ["decline", "declined"],
])) {
  test(`taken out after ${screen} and put back, it is ${screen} again, and told once`, async ({
    waiting: { payer, order, number, checkout, shop, page },
    sandbox,
  }) => {
    await sandbox.drive(number, end);
    await payer.sees(screen);
    for (let times = 0; times < 2; times += 1) {
      await page.evaluate(async () => {
        const element = /** @type {PaymentCheckout} */ (document.querySelector("payment-checkout"));
        const place = element.parentElement;
        element.remove();
        await Promise.resolve();
        place?.append(element);
      });
      await payer.sees(screen);
    }
    // The element, and twice the one that was put back.
    expect(checkout.heard("checkout-ready")).toHaveLength(3);
    expect(checkout.heardOnce("checkout-result")).toMatchObject({ resumed: false });
    // What was not paid is remembered.
    expect(await shop.stored("payment-checkout")).toHaveLength(screen === "paid" ? 0 : 1);
    expect(await order.operations()).toHaveLength(1);
  });
}

test("an end is not shown for another order", async ({ payer, checkout, context }) => {
  const second = await placeOrder(context);
  await payer.begins();
  await payer.pays();
  await payer.sees("paid");
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element, id) => {
    element.request = { order_id: id };
  }, second.id);
  await payer.sees("choosing");
});

test("a wrong redirect-url is told once", async ({ payer, checkout, page, invariants }) => {
  invariants.allows(/redirect-url is not an address/);
  /** @type {string[]} */
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  await payer.opens();
  await payer.sees("choosing");
  for (const label of ["A-1", "A-2", "A-3"]) {
    await checkout.element.evaluate((/** @type {PaymentCheckout} */ element, label) => {
      element.redirectUrl = "https://[";
      element.orderLabel = label;
    }, label);
    await expect(checkout.element.getByText(label)).toBeVisible();
  }
  await expect.poll(() => said).toEqual([expect.stringMatching(/redirect-url is not an address: https:\/\/\[/)]);
  expect(checkout.heardOnce("checkout-error")).toMatchObject({ code: "configuration" });
});

test("a second copy of the element is told in the console", async ({ payer, page, invariants }) => {
  invariants.expects(/payment-checkout: another copy is registered already \(version \d+\.\d+\.\d+/);
  await payer.opens();
  await payer.sees("choosing");
  // Another version has another wasm; files of the same one share the element.
  await page.route("**/element/element.js?another", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/"sha384-[^"]+"/, '"sha384-another"');
    await route.fulfill({ response: answer, body });
  });
  await page.evaluate(async () => {
    const { define } = await import(/** @type {any} */ ("/element/element.js?another"));
    define();
  });
  await payer.chooses("QR");
});

test("each second changes the countdown alone, and makes no formatter", async ({ payer, checkout, page }) => {
  await page.addInitScript(() => {
    Object.assign(globalThis, { formatters: 0 });
    for (const name of /** @type {const} */ (["NumberFormat", "DateTimeFormat"])) {
      const made = {
        construct(/** @type {any} */ target, /** @type {any[]} */ values) {
          Reflect.set(globalThis, "formatters", Reflect.get(globalThis, "formatters") + 1);
          return Reflect.construct(target, values);
        },
      };
      Reflect.set(Intl, name, new Proxy(Intl[name], made));
    }
  });
  await page.clock.install();
  await payer.begins();
  // The first second is the first to be said with seconds.
  await page.clock.runFor(2_000);
  const before = await checkout.secondsLeft();
  const formatters = () => page.evaluate(() => Reflect.get(globalThis, "formatters"));
  const made = await formatters();
  await checkout.element.evaluate((element) => {
    const changed = /** @type {string[]} */ ([]);
    Object.assign(globalThis, { changed });
    new MutationObserver((records) => {
      for (const { target } of records) {
        const node = target instanceof Element ? target : target.parentElement;
        const part = node?.closest("[part]");
        if (!part?.matches("[part=countdown], progress")) changed.push(String(node?.outerHTML));
      }
    }).observe(/** @type {ShadowRoot} */ (element.shadowRoot), {
      attributes: true,
      characterData: true,
      childList: true,
      subtree: true,
    });
  });
  await page.clock.runFor(5_000);
  await expect.poll(async () => before - (await checkout.secondsLeft())).toBeGreaterThanOrEqual(5);
  expect(await page.evaluate(() => Reflect.get(globalThis, "changed"))).toEqual([]);
  expect(await formatters()).toBe(made);
});

test("every state has its event, and can be styled", async ({ waiting: { payer, checkout, page } }) => {
  await payer.pays();
  await payer.sees("paid");
  const styled = (/** @type {string} */ state) =>
    checkout.element.evaluate((element, state) => element.matches(`:state(${state})`), state);
  expect(await styled("paid")).toBe(true);
  expect(await styled("pending")).toBe(false);
  const states = checkout.heard("checkout-state").map(({ detail }) => detail);
  expect(states).toEqual([
    { state: "choosing", previous: "loading" },
    { state: "authorizing", previous: "choosing" },
    { state: "pending", previous: "authorizing" },
    { state: "paid", previous: "pending" },
  ]);
  const left = page.evaluate(
    () =>
      new Promise((resolve) => {
        const element = /** @type {PaymentCheckout} */ (document.querySelector("payment-checkout"));
        element.addEventListener("checkout-state", ({ detail }) => resolve(detail.state));
        element.remove();
      }),
  );
  expect(await left).toBe("loading");
});

test("a browser without custom states has an attribute", async ({ payer, checkout, page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(ElementInternals.prototype, "states"));
  await payer.begins();
  await expect(checkout.element).toHaveAttribute("state", "pending");
});

test("focus() moves to the heading, also before there is one", async ({ payer, checkout, page }) => {
  const release = await holdWasm(page);
  await payer.opens();
  await payer.sees("choosing");
  const focus = () => checkout.element.evaluate((element) => element.focus());
  await focus();
  await expect(checkout.heading("choosing")).toBeFocused();
  release();
  await checkout.works();
  await expect(checkout.heading("choosing")).toBeFocused();
  await checkout.qrButton.focus();
  await focus();
  await expect(checkout.heading("choosing")).toBeFocused();
  await payer.chooses("QR");
  await page.unroute("**/*.wasm");
  // A payment that waits has no screen before the wasm.
  const again = await holdWasm(page);
  await payer.reloads();
  await expect(page.getByText("Preparando el pago…")).toBeVisible();
  await focus();
  again();
  await expect(checkout.heading("qr")).toBeFocused();
  const version = checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => element.version);
  expect(await version).toMatch(/^\d+\.\d+\.\d+$/);
});

test("the payer's decisions are told for analytics", async ({ waiting: { payer, checkout, page } }) => {
  await Promise.all([page.waitForEvent("download"), checkout.saveLink.click()]);
  await checkout.leaveForAnotherWay();
  await payer.sees("choosing");
  await payer.chooses("QR");
  await checkout.cancel();
  await payer.sees("cancelled");
  await payer.presses("retry");
  await payer.sees("choosing");
  const actions = checkout.heard("checkout-action").map(({ detail }) => detail);
  expect(actions).toEqual(
    [
      "method-chosen",
      "code-saved",
      "another-way",
      "cancel-confirmed",
      "method-chosen",
      "cancel-asked",
      "cancel-confirmed",
      "retried",
    ].map((action) => ({ action, method: "QR" })),
  );
});

test("a page with one method offers no other, and a slow start can be left", { tag: "@quick" }, async ({ payer, checkout, page }) => {
  await page.clock.install();
  await payer.opens({ attributes: { methods: "QR" } });
  await expect(checkout.installmentButton).toHaveCount(0);
  let answer = () => {};
  await page.route(
    "**/api/charges",
    (route) =>
      new Promise((resolve) => {
        answer = () => resolve(route.continue().catch(() => {}));
      }),
  );
  await checkout.qrButton.click();
  await page.clock.runFor(5_000);
  await expect(checkout.button("another")).toHaveCount(0);
  await payer.presses("cancel");
  await payer.sees("choosingOne");
  answer();
  await page.unroute("**/api/charges");
  await payer.chooses("QR");
  await expect(checkout.button("cancel")).toBeVisible();
  await expect(checkout.button("another")).toHaveCount(0);
});

test("an authorization of another amount shows no code, whatever the status says", async ({ payer, checkout, page, invariants }) => {
  invariants.allows(/amount-mismatch\)/);
  await page.route("**/api/charges", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.transaction.amount = "1";
    await route.fulfill({ response, json });
  });
  await page.clock.install();
  await payer.opens();
  await checkout.qrButton.click();
  await payer.sees("amountMismatch");
  await page.clock.runFor(10_000);
  await payer.sees("amountMismatch");
  expect(checkout.heard("checkout-pending")).toEqual([]);
  await page.unroute("**/api/charges");
  await payer.reloads();
  await payer.sees("choosing");
  await expect(checkout.image).toHaveCount(0);
});
