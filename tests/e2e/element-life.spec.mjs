// The element's life: another order, out of the page and back, a second copy, its states.

import { expect, test } from "./support/fixtures.mjs";
import { holdWasm } from "./support/held-answers.mjs";

/** @typedef {import("../../npm/element/types/element.js").PaymentCheckout} PaymentCheckout */

test("taken out after an end and put back, it shows that end again, and told once", async ({
  waiting: { payer, order, number, checkout, shop, page },
  sandbox,
}) => {
  const isPutBackTwice = async (/** @type {"declined" | "paid"} */ screen) => {
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
  };
  await sandbox.drive(number, "decline");
  await isPutBackTwice("declined");
  // What was not paid is remembered.
  expect(await shop.stored("payment-checkout")).toHaveLength(1);
  await payer.presses("newQr");
  await payer.seesCode();
  await payer.pays(await order.numberAfter(number));
  await isPutBackTwice("paid");
  expect(await shop.stored("payment-checkout")).toEqual([]);
  // The element, and four times the one that was put back.
  expect(checkout.heard("checkout-ready")).toHaveLength(5);
  expect(checkout.heard("checkout-result").map(({ detail: { outcome, resumed } }) => ({ outcome, resumed }))).toEqual([
    { outcome: "declined", resumed: false },
    { outcome: "paid", resumed: false },
  ]);
  expect(await order.operations()).toHaveLength(2);
});

test("both ways into the package share one element and one wasm, and another copy is told in the console", async ({
  payer,
  page,
  invariants,
}) => {
  invariants.expects(/payment-checkout: another copy \(version \d+\.\d+\.\d+/);
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => request.url().endsWith(".wasm") && asked.push(request.method()));
  await payer.opens();
  await payer.sees("choosing");
  const same = await page.evaluate(async () => {
    const [all, without] = await Promise.all([
      import(/** @type {any} */ ("/element/payment-checkout.js")),
      import(/** @type {any} */ ("/element/element.js")),
    ]);
    await without.load();
    without.define("second-checkout");
    const second = document.createElement("second-checkout");
    return [all.PaymentCheckout === without.PaymentCheckout, second instanceof all.PaymentCheckout];
  });
  expect(same).toEqual([true, true]);
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
  expect(asked).toEqual(["GET"]);
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

test("each state and each decision of the payer has its event, and a state can be styled", async ({
  waiting: { payer, checkout, page },
}) => {
  await Promise.all([page.waitForEvent("download"), checkout.saveLink.click()]);
  await checkout.leaveForAnotherWay();
  await payer.sees("choosing");
  await payer.chooses("QR");
  await checkout.cancel();
  await payer.sees("cancelled");
  await payer.presses("retry");
  await payer.sees("choosing");
  await payer.chooses("QR");
  await payer.pays(checkout.heard("checkout-pending").at(-1)?.detail.merchantOperationNumber);
  await payer.sees("paid");
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
      "method-chosen",
    ].map((action) => ({ action, method: "QR" })),
  );
  const states = checkout.heard("checkout-state").map(({ detail }) => detail);
  expect(states.slice(0, 3)).toEqual([
    { state: "choosing", previous: "loading" },
    { state: "authorizing", previous: "choosing" },
    { state: "pending", previous: "authorizing" },
  ]);
  expect(states.at(-1)).toEqual({ state: "paid", previous: "pending" });
  const styled = (/** @type {string} */ state) =>
    checkout.element.evaluate((element, state) => element.matches(`:state(${state})`), state);
  expect(await styled("paid")).toBe(true);
  expect(await styled("pending")).toBe(false);
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
  await expect(checkout.element.getByRole("button")).toHaveCount(0);
  await focus();
  again();
  await expect(checkout.heading("qr")).toBeFocused();
  const version = checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => element.version);
  expect(await version).toMatch(/^\d+\.\d+\.\d+$/);
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
