// The choice of methods stands before the wasm is there, and nothing that the payer does on it is lost.

import { expect, test } from "./support/fixtures.mjs";
import { holdWasm } from "./support/held-answers.mjs";

/** @typedef {import("../../npm/element/types/element.js").PaymentCheckout} PaymentCheckout */

// The attributes of each element that is compared, and the properties of one.
/** @type {Record<string, Record<string, any>>} */
const PAGES = {
  everything: {
    amount: "387000",
    currency: "604",
    "merchant-name": "Retama y Cumbre",
    "order-label": "Mesa 5",
    methods: "QR INSTALLMENT CASHCODE BANK_TRANSFER CARD WALLET",
  },
  "as little as there may be": {},
  "a name for the wallet alone": { "payee-name": "RETAMA SAC", amount: "5", currency: "PEN" },
  "an amount in dollars, in English": { amount: "100000", currency: "840", locale: "en-US" },
  "a label, in Portuguese": { "order-label": "77", locale: "pt", methods: "WALLET QR QR FOO" },
  "a language that the element does not speak": { locale: "de", "merchant-name": "Laden" },
  "a page in another language": { lang: "qu", locale: "es", "merchant-name": "Qhatu", amount: "1", currency: "PEN" },
  "another level of its heading": { "heading-level": "4" },
  "a level that there is not": { "heading-level": "9" },
  "words of the page": { "order-label": "A 7", messages: { "choose.heading": "¿Cómo pagas?", "bill.order": "Mesa {order}", "qr.heading": "¡Ya!" } },
  "apps that pay": { wallets: "<i>Apu</i>, Nube", "order-label": "5" },
  "apps that pay, in the page's words": { wallets: "Apu, Nube", messages: { "method.qr-wallets": "{wallets} ({wallets})", "method.qr-about": "QR" } },
  "words for the code where no app is named": { messages: { "method.qr-about": "Con tu celular." } },
  "a promise that the page does not make": { messages: { "trust.password": "" } },
  "a price without a currency": { amount: "1000" },
};

test("it is what the wasm draws, for every kind of page", async ({ payer, checkout, page, invariants }) => {
  // Two of the pages leave something out, or have a method that nobody knows.
  invariants.allows(/payment-checkout/);
  const release = await holdWasm(page);
  await payer.opens();
  await expect(checkout.heading("choosing")).toBeVisible();
  const names = await page.evaluate(async (pages) => {
    const make = (/** @type {[string, Record<string, any>]} */ [name, page]) => {
      const { messages, ...attributes } = page;
      const element = /** @type {PaymentCheckout} */ (document.createElement("payment-checkout"));
      for (const [key, value] of Object.entries({ "base-url": "/api", ...attributes })) element.setAttribute(key, value);
      Object.assign(element, { messages, request: { order_id: name } });
      document.body.append(element);
      return { name, element };
    };
    Object.assign(globalThis, { compared: Object.entries(pages).map(make) });
    return Object.keys(pages);
  }, PAGES);
  // The browser's formatter says the amount after the first paint.
  const unheard = page.locator("[part=amount] + :empty");
  await expect(unheard).toHaveCount(0);
  await page.evaluate(() => {
    for (const page of Reflect.get(globalThis, "compared")) page.before = page.element.shadowRoot.querySelector("section").cloneNode(true);
  });
  release();
  await checkout.works();
  for (const [at, name] of names.entries()) {
    const same = await page.evaluate((at) => {
      const { element, before } = Reflect.get(globalThis, "compared")[at];
      const after = element.shadowRoot.querySelector("section").cloneNode(true);
      after.querySelector(".body").removeAttribute("style");
      const seen = `${element.state} ${after.outerHTML}`;
      return before.isEqualNode(after) ? seen : { first: before.outerHTML, seen };
    }, at);
    expect(same, name).toMatch(/^choosing /);
  }
});

test("a press on it is carried out once, as soon as the wasm is there, and the page can measure each step", async ({ payer, checkout, page }) => {
  const release = await holdWasm(page);
  await payer.opens();
  await checkout.qrButton.click();
  await expect(checkout.qrButton).toHaveAttribute("aria-busy", "true");
  // The first choice counts.
  await checkout.installmentButton.click({ force: true });
  await checkout.qrButton.click();
  expect(checkout.heard("checkout-state")).toEqual([]);
  // It looks pressed until the next screen is drawn.
  await checkout.element.evaluate(({ shadowRoot }) => {
    const looks = (/** @type {Event} */ { target }) =>
      Object.assign(globalThis, { looks: /** @type {Element} */ (target).matches("[aria-busy=true]") });
    shadowRoot.addEventListener("click", looks, { capture: true, once: true });
  });
  release();
  await payer.seesCode();
  expect(await page.evaluate(() => Reflect.get(globalThis, "looks"))).toBe(true);
  expect(await checkout.scan()).not.toBe("");
  expect(checkout.heard("checkout-action").map(({ detail }) => detail.action)).toEqual(["method-chosen"]);

  const measured = () =>
    page.evaluate(() => {
      const own = performance.getEntriesByType("measure").filter(({ name }) => name.startsWith("payment-checkout:"));
      return Object.fromEntries(own.map(({ name, startTime, duration }) => [name.split(":")[1], [startTime, duration]]));
    });
  await expect.poll(async () => Object.keys(await measured()).sort()).toEqual(["module", "painted", "qr", "ready", "wasm"]);
  const { module, painted, qr, ready, wasm } = await measured();
  // From the press on the first screen, before the wasm was there.
  expect(qr[0]).toBeLessThan(ready[1]);
  expect(module[1]).toBeLessThan(painted[1]);
  expect(painted[1]).toBeLessThan(wasm[0] + wasm[1]);
  expect(wasm[0] + wasm[1]).toBeLessThan(ready[1]);
});

for (const [device, press, release] of /** @type {const} */ ([
  ["mouse", (page) => page.mouse.down(), (page) => page.mouse.up()],
  ["space bar", (page) => page.keyboard.down(" "), (page) => page.keyboard.up(" ")],
])) {
  test(`a press with the ${device} that begins on it and ends on the wasm's screen is one press`, async ({ payer, checkout, page }) => {
    const arrive = await holdWasm(page);
    await payer.opens();
    await checkout.qrButton.focus();
    await checkout.qrButton.hover();
    await press(page);
    arrive();
    await checkout.works();
    expect(checkout.heard("checkout-action")).toEqual([]);
    await release(page);
    await payer.seesCode();
    expect(checkout.heard("checkout-action").map(({ detail }) => detail.action)).toEqual(["method-chosen"]);
  });
}

test("lines of another version in the page, and another script, cost no payment", async ({ payer, checkout, page, invariants }) => {
  invariants.allows(/404|preload/);
  await page.route((url) => url.pathname === "/", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/payment-checkout-[0-9a-f]+\.wasm/, "payment-checkout-0123456789.wasm");
    await route.fulfill({ response, body });
  });
  await page.route("**/element/payment-checkout.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}// another build` });
  });
  await payer.opens();
  await checkout.works();
  await payer.reloads();
  await payer.chooses("QR");
});

test("the focus stays where it was, and nothing moves", async ({ payer, checkout, page }) => {
  await page.addInitScript(() => {
    const shifts = (globalThis.shifts = []);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources = [] } = /** @type {any} */ (entry);
        if (sources.some(({ node }) => node?.getRootNode() instanceof ShadowRoot)) shifts.push(Reflect.get(entry, "value"));
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  const release = await holdWasm(page);
  await payer.opens();
  await checkout.installmentButton.focus();
  await checkout.element.evaluate((element) =>
    Promise.all(element.shadowRoot.getAnimations().map(({ finished }) => finished)),
  );
  const place = await checkout.installmentButton.boundingBox();
  release();
  await checkout.works();
  await expect(checkout.installmentButton).toBeFocused();
  expect(await checkout.installmentButton.boundingBox()).toEqual(place);
  expect(await page.evaluate(() => Reflect.get(globalThis, "shifts"))).toEqual([]);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await payer.seesCode();
});

test("it follows the page until the wasm is there, and a press belongs to the order that the payer saw", async ({
  payer,
  order,
  checkout,
  page,
}) => {
  const release = await holdWasm(page);
  await payer.opens();
  await checkout.qrButton.click();
  await expect(checkout.qrButton).toHaveAttribute("aria-busy");
  await checkout.set({ amount: "999900" });
  await expect(checkout.amount).toHaveText("S/ 9,999.00");
  await expect(checkout.qrButton).not.toHaveAttribute("aria-busy");
  await checkout.set({ locale: "en" });
  await expect(checkout.in("en").heading("choosing")).toBeVisible();
  // An operation that exists is for the wasm to show.
  await checkout.set({ "merchant-code": "1", "merchant-operation-number": "2" });
  await expect(page.getByText("Preparando el pago…")).toBeVisible();
  await expect(checkout.element.getByRole("button")).toHaveCount(0);
  await checkout.set({ locale: "es", "merchant-code": null, "merchant-operation-number": null });
  await payer.sees("choosing");
  await expect(checkout.qrButton).not.toHaveAttribute("aria-busy");

  // A page that takes a pressed method back leaves no mark on the others.
  await checkout.qrButton.click();
  await checkout.element.evaluate((/** @type {any} */ element) => {
    element.addEventListener("checkout-ready", () => (element.methods = "INSTALLMENT"), { once: true });
  });
  release();
  await expect(checkout.qrButton).toHaveCount(0);
  await expect(checkout.installmentButton).toBeEnabled();
  await expect(checkout.installmentButton).not.toHaveAttribute("aria-busy");
  expect(checkout.heard("checkout-action")).toEqual([]);
  expect(await order.operations()).toEqual([]);
});
