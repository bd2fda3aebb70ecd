import { expect, test } from "./support/fixtures.mjs";
import { Order } from "./support/order.mjs";

test("a payer walks from the shelf to the thanks, scanning the code with a phone", async ({
  context,
  shop,
  checkout,
  sandbox,
  device,
}) => {
  await shop.open();
  await shop.add("Mochila de telar");
  await shop.add("Café de altura, 250 g");
  await shop.fillIn({ first: "Rosa", last: "Quispe", email: "rosa@ejemplo.pe" });
  await shop.payButton.click();
  await checkout.shows("choosing");
  await checkout.payByQr();

  const order = new Order(context, shop.orderId(), "16280");
  const number = await order.number();
  expect(await order.state()).toBe("open");
  const { qr_content } = await sandbox.operation(number);
  const scanned = await checkout.scan();
  expect(scanned).toBe(qr_content);
  // The payer has not paid, so the shop must not say thanks.
  await expect(shop.thanks).toBeHidden();

  const { phone } = await device();
  await phone.scan(scanned);
  await expect(phone.operation(number)).toBeVisible();
  await expect(phone.amount("S/ 162.80")).toBeVisible();
  await phone.pay();

  await checkout.shows("paid");
  await expect(shop.thanks).toBeVisible();
  expect(await order.state()).toBe("paid");

  const { transactionId, ...pending } = checkout.heardOnce("checkout-pending");
  expect(transactionId).toEqual(expect.any(String));
  expect(pending).toMatchObject({
    merchantOperationNumber: number,
    method: "QR",
    state: "PENDIENTE",
    amount: "16280",
    currency: "PEN",
  });
  expect(checkout.heardOnce("checkout-result")).toEqual({
    outcome: "paid",
    previous: null,
    superseded: [],
    resumed: false,
    paidTwice: false,
    merchantCode: "demo-merchant",
    merchantOperationNumber: number,
    transactionId,
    method: "QR",
    state: "AUTORIZADO",
    amount: "16280",
    currency: "PEN",
  });
  expect(checkout.heard("checkout-error")).toEqual([]);
  expect(await shop.stored("payment-checkout")).toEqual([]);
  expect(JSON.stringify(await shop.stored())).not.toMatch(/rosa|quispe|ejemplo/i);
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("nothing about the person is kept while a payment waits", async ({ shop, order, checkout }) => {
  await shop.openOrder(order);
  await checkout.payByQr();
  const stored = JSON.stringify(await shop.stored());
  expect(stored).toContain(await order.number());
  expect(stored).not.toMatch(/rosa|quispe|ejemplo/i);
});

test("the wallet is one link away from the code", async ({ shop, order, checkout, context }) => {
  await shop.openOrder(order);
  await checkout.payByQr();
  const [opened] = await Promise.all([context.waitForEvent("page"), shop.walletLink.click()]);
  await expect(opened.getByRole("heading", { name: "Tu billetera" })).toBeVisible();
  await expect(opened.getByText(await order.number())).toBeVisible();
});

test("a code that the wallet rejects is declined, and another one is paid", async ({
  shop,
  order,
  checkout,
  sandbox,
}) => {
  await shop.openOrder(order);
  await checkout.payByQr();
  const first = await order.number();
  await sandbox.drive(first, "decline");
  await checkout.shows("declined");
  await expect(shop.thanks).toBeHidden();

  await checkout.button("retry").click();
  await checkout.shows("choosing");
  await checkout.payByQr();
  const second = (await order.numbers()).find((number) => number !== first);
  expect((await checkout.scan())).toBe((await sandbox.operation(second)).qr_content);
  await sandbox.drive(second, "pay");
  await checkout.shows("paid");

  const results = checkout.heard("checkout-result").map(({ detail }) => detail);
  expect(results).toMatchObject([
    { outcome: "declined", merchantOperationNumber: first },
    { outcome: "paid", merchantOperationNumber: second, superseded: [first] },
  ]);
  expect(await sandbox.authorizations(order)).toHaveLength(2);
});

test("a payment that the service gives back is shown to whoever looks again", async ({
  shop,
  order,
  checkout,
  sandbox,
  page,
}) => {
  await shop.openOrder(order);
  await checkout.payByQr();
  const number = await order.number();
  await sandbox.drive(number, "pay");
  await expect(shop.thanks).toBeVisible();
  await sandbox.drive(number, "reverse");
  await expect.poll(() => order.state()).not.toBe("paid");

  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await checkout.shows("reversed");
  await expect(shop.thanks).toBeHidden();
  const results = checkout.heard("checkout-result").map(({ detail }) => detail);
  expect(results).toMatchObject([
    { outcome: "paid", previous: null },
    { outcome: "reversed", previous: "paid", merchantOperationNumber: number },
  ]);
});

test("the payment that is played through for nobody is neither seen nor sent nor kept", async ({
  shop,
  order,
  checkout,
  page,
}) => {
  const sent = /** @type {string[]} */ ([]);
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.addInitScript(() => {
    // True for a picture or a pressed button that is in the page.
    const played = { pictures: /** @type {boolean[]} */ ([]), presses: /** @type {boolean[]} */ ([]) };
    const noticed = { clicks: 0, sent: 0, changes: 0 };
    Object.assign(globalThis, { played, noticed });
    const { setAttribute } = Element.prototype;
    Element.prototype.setAttribute = function (name, value) {
      // It gets its source before its place.
      if (this instanceof HTMLImageElement && name === "src") queueMicrotask(() => played.pictures.push(this.isConnected));
      setAttribute.call(this, name, value);
    };
    const { dispatchEvent } = EventTarget.prototype;
    EventTarget.prototype.dispatchEvent = function (event) {
      if (event.type === "click") played.presses.push(/** @type {Element} */ (this).isConnected);
      return dispatchEvent.call(this, event);
    };
    addEventListener("click", () => noticed.clicks++, { capture: true });
    const send = globalThis.fetch;
    globalThis.fetch = (request, options) => {
      if (request instanceof Request && request.method !== "GET") noticed.sent++;
      return send(request, options);
    };
  });
  await shop.openOrder(order);
  await checkout.works();
  const choice = checkout.qrButton;
  await choice.focus();
  const node = await choice.elementHandle();
  await checkout.element.evaluate(({ shadowRoot }) => {
    const { noticed } = /** @type {any} */ (globalThis);
    shadowRoot.addEventListener("click", () => noticed.clicks++, { capture: true });
    new MutationObserver((changes) => (noticed.changes += changes.length)).observe(shadowRoot, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  });
  const played = () => page.evaluate(() => Reflect.get(globalThis, "played"));
  await expect.poll(played).toEqual({ pictures: [false], presses: [false] });
  // The screen that the payer sees is the same all the time.
  await expect(choice).toBeFocused();
  expect(await choice.evaluate((button, before) => button === before, node)).toBe(true);
  const noticed = await page.evaluate(() => Reflect.get(globalThis, "noticed"));
  expect(noticed).toEqual({ clicks: 0, sent: 0, changes: 0 });
  expect(sent).toEqual([]);
  expect(await page.evaluate(() => performance.getEntriesByName("payment-checkout:qr"))).toEqual([]);
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("payment-checkout")))).toEqual([]);
  expect(checkout.heard("checkout-pending")).toEqual([]);
});

for (const [methods, codes] of /** @type {[string, number][]} */ ([
  ["INSTALLMENT QR", 1],
  ["INSTALLMENT", 0],
])) {
  // A page without QR may forbid the pictures of codes.
  test(`a page that offers ${methods} draws ${codes} codes for nobody`, async ({
    shop,
    order,
    checkout,
    page,
  }) => {
    await page.clock.install();
    await page.addInitScript((methods) => {
      const pictures = /** @type {string[]} */ ([]);
      Object.assign(globalThis, { pictures });
      const { setAttribute } = Element.prototype;
      Element.prototype.setAttribute = function (name, value) {
        if (this instanceof HTMLImageElement && name === "src") pictures.push(value);
        const isOffer = this.localName === "payment-checkout" && name === "methods";
        setAttribute.call(this, name, isOffer ? methods : value);
      };
    }, methods);
    await shop.openOrder(order);
    await checkout.works();
    await page.clock.runFor("00:10");
    expect(await page.evaluate(() => Reflect.get(globalThis, "pictures").length)).toBe(codes);
  });
}

test("where drawing takes long, the browser has its turn between the request and the screen after the press", async ({
  shop,
  order,
  checkout,
  page,
}) => {
  await shop.openOrder(order);
  await checkout.shows("choosing");
  const before = await checkout.element.locator("#heading").textContent();
  await page.evaluate(() => {
    const { shadowRoot } = document.querySelector("payment-checkout");
    const headings = /** @type {string[]} */ ([]);
    Object.assign(globalThis, { headings });
    const send = globalThis.fetch;
    globalThis.fetch = (request, options) => {
      setTimeout(() => headings.push(shadowRoot.querySelector("#heading").textContent));
      return send(request, options);
    };
    // Everything takes longer than a frame.
    let now = Date.now();
    Date.now = () => (now += 20);
  });
  await checkout.qrButton.click();
  await checkout.showsQr();
  expect(await page.evaluate(() => Reflect.get(globalThis, "headings")[0])).toBe(before);
});
