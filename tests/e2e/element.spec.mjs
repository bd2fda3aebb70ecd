// The element in its page: several, moved, taken out, with wrong or other attributes.

import { expect, test } from "./support/fixtures.mjs";
import { placeOrder } from "./support/order.mjs";

/** @import { PaymentCheckout } from "../../npm/element/types/element.d.ts" */

/** Puts one more element into the page, with attributes and an order. */
async function addElement(page, order, attributes = {}) {
  await page.evaluate(
    ({ id, attributes }) => {
      const element = document.createElement("payment-checkout");
      for (const [name, value] of Object.entries({ "base-url": "/api", ...attributes })) {
        element.setAttribute(name, value);
      }
      element.id = `checkout-${id}`;
      element.request = { order_id: id };
      document.querySelector("main").append(element);
    },
    { id: order.id, attributes },
  );
  return page.locator(`#checkout-${order.id}`);
}

/** The requests of a page for the state of a payment. */
function statusRequests(page) {
  const requests = [];
  page.on("request", (request) => {
    if (request.method() === "GET" && /\/api\/charges\//.test(request.url())) {
      requests.push(request);
    }
  });
  return requests;
}

test("two elements on one page pay two orders, with one wasm", async ({ payer, order, checkout, page, context }) => {
  const second = await placeOrder(context, [{ sku: "cafe-250", quantity: 1 }]);
  const wasms = [];
  page.on("request", (request) => request.url().endsWith(".wasm") && wasms.push(request.url()));
  await payer.opens();
  await payer.sees("choosing");
  const first = checkout.at(page.locator("#checkout payment-checkout"));
  const other = checkout.at(await addElement(page, second));
  const final = other.element.evaluate((/** @type {PaymentCheckout} */ element) => element.whenFinal());
  await first.payByQr();
  await other.payByQr();
  expect(wasms).toHaveLength(1);
  expect(await first.picture()).not.toBe(await other.picture());

  await payer.pays(await second.number());
  await other.shows("paid");
  await first.showsQr();
  expect(await final).toMatchObject({ outcome: "paid", merchantOperationNumber: await second.number() });
  expect(checkout.heardOnce("checkout-result", second)).toMatchObject({ amount: "3290" });
  expect(checkout.heard("checkout-result", order)).toEqual([]);

  await payer.reloads();
  await first.showsQr();
  await payer.pays();
  await first.shows("paid");
});

test("it pays inside another shadow root, and inside a dialog", async ({ payer, checkout, page, context }) => {
  await payer.opens();
  await payer.sees("choosing");
  for (const place of ["div", "dialog"]) {
    const other = await placeOrder(context);
    await page.evaluate(
      ({ place, id }) => {
        const around = document.createElement(place);
        document.querySelector("main").append(around);
        const isDialog = around instanceof HTMLDialogElement;
        if (isDialog) around.showModal();
        const element = document.createElement("payment-checkout");
        element.id = `inside-${place}`;
        element.baseUrl = "/api";
        element.request = { order_id: id };
        (isDialog ? around : around.attachShadow({ mode: "open" })).append(element);
      },
      { place, id: other.id },
    );
    const inside = checkout.at(page.locator(`#inside-${place}`));
    await inside.payByQr();
    // By keyboard too: the test finds the focused element through every root.
    await inside.button("cancel").press("Enter");
    await expect(inside.warning, place).toBeFocused();
    await inside.button("keep").press("Enter");
    await expect(inside.button("cancel"), place).toBeFocused();
    await payer.pays(await other.number());
    await inside.shows("paid");
  }
});

test("moving the element disturbs nothing; taking it out stops its request, and putting it back resumes", async ({
  payer,
  order,
  checkout,
  page,
  sandbox,
}) => {
  const asked = statusRequests(page);
  const { number } = await payer.begins();
  const picture = await checkout.picture();
  await page.evaluate(() => {
    document.querySelector("main").prepend(document.querySelector("payment-checkout"));
  });
  await payer.seesCode();
  expect(await checkout.picture()).toBe(picture);
  expect(checkout.heard("checkout-ready")).toHaveLength(1);

  // The server holds this one until something changes.
  await expect.poll(() => asked.some((request) => "prefer" in request.headers())).toBe(true);
  const [aborted] = await Promise.all([
    page.waitForEvent("requestfailed"),
    page.evaluate(() => {
      globalThis.removed = document.querySelector("payment-checkout");
      globalThis.removed.remove();
    }),
  ]);
  expect(aborted.url()).toContain(number);
  expect(aborted.failure().errorText).toBe("net::ERR_ABORTED");
  expect(await sandbox.state(number)).toBe("PENDIENTE");

  const before = asked.length;
  await payer.pays();
  await expect.poll(() => order.state()).toBe("paid");
  expect(asked.length).toBe(before);
  expect(checkout.heard("checkout-result")).toEqual([]);

  await page.evaluate(() => document.querySelector("#checkout").append(globalThis.removed));
  await payer.sees("paid");
  expect(asked.length).toBeGreaterThan(before);
  checkout.heardOnce("checkout-result");
  expect(await sandbox.authorizations(order)).toHaveLength(1);
});

test("a page that names another price shows no code; a currency by number is the same currency", async ({
  payer,
  order,
  checkout,
  page,
  context,
  sandbox,
  invariants,
}) => {
  invariants.allows(new RegExp(`the page says 100 PEN, and the server authorized ${order.amount} PEN`));
  const second = await placeOrder(context);
  const third = await placeOrder(context);
  await payer.opens();
  await payer.sees("choosing");
  await checkout.at(await addElement(page, third, { amount: third.amount, currency: "604" })).payByQr();

  const wrong = checkout.at(await addElement(page, second, { amount: "100", currency: "PEN" }));
  await wrong.qrButton.click();
  await wrong.shows("amountMismatch");
  await expect(wrong.image).toHaveCount(0);
  expect(checkout.heardOnce("checkout-error", second)).toEqual({
    code: "amount-mismatch",
    retryable: false,
    message: "amount-mismatch: POST /api/charges answered 200",
    status: 200,
    problem: null,
    requestId: expect.any(String),
  });
  expect(checkout.heard("checkout-pending", second)).toEqual([]);

  // The payer can cancel the operation that waits behind the error.
  await wrong.cancel();
  await wrong.shows("cancelled");
  expect(await sandbox.state(await second.number())).toBe("CANCELADO");
});

test("an operation that the merchant's server began is shown by its numbers", { tag: "@quick" }, async ({
  waiting: { payer, number, checkout, page },
  sandbox,
}) => {
  const { operation } = await sandbox.operation(number);
  // Another element, without the order: only the numbers.
  await page.evaluate(
    ({ number, transaction }) => {
      const element = document.createElement("payment-checkout");
      element.id = "named";
      element.setAttribute("base-url", "/api");
      element.setAttribute("merchant-code", "demo-merchant");
      element.setAttribute("merchant-operation-number", number);
      element.setAttribute("transaction-id", transaction);
      document.querySelector("main").append(element);
    },
    { number, transaction: operation.transactions[0].transaction_id },
  );
  const named = checkout.at(page.locator("#named"));
  await named.showsQr();
  await payer.pays();
  await named.shows("paid");
});

test("a bundler that puts the sheets into the page changes nothing of the shop", async ({ payer, shop, page }) => {
  await payer.opens();
  await payer.sees("choosing");
  const looks = () =>
    page.evaluate(() => {
      const names = ["a", "button", "dialog", "h2", "img", "li", "ol", "p", "progress", "section", "span"];
      return names.map((name) => {
        const node = document.createElement(name);
        node.className = "checkout primary muted body";
        node.textContent = "1001";
        document.body.append(node);
        const look = { ...getComputedStyle(node) };
        node.remove();
        return look;
      });
    });
  const before = await looks();
  await page.evaluate(() => {
    const load = (/** @type {string} */ name) =>
      new Promise((resolve, reject) => {
        const sheet = { rel: "stylesheet", href: `/element/${name}`, onload: resolve, onerror: reject };
        document.head.append(Object.assign(document.createElement("link"), sheet));
      });
    return Promise.all(["style.css", "print.css"].map(load));
  });
  expect(await looks()).toEqual(before);
  await page.emulateMedia({ media: "print" });
  await expect(shop.summary).toBeVisible();
});

test("a changed attribute is read once, and the others fewer than 60 times together", async ({ payer, checkout }) => {
  await payer.opens();
  await payer.sees("choosing");
  const reads = await checkout.element.evaluate(async (element) => {
    /** @type {Record<string, number>} */
    const reads = {};
    const { getAttribute } = Element.prototype;
    Element.prototype.getAttribute = function (name) {
      if (this === element) reads[name] = (reads[name] ?? 0) + 1;
      return getAttribute.call(this, name);
    };
    element.setAttribute("order-label", "A-7");
    await new Promise((resolve) => setTimeout(resolve, 100));
    Element.prototype.getAttribute = getAttribute;
    return reads;
  });
  await expect(checkout.element).toContainText("A-7");
  expect(reads["order-label"]).toBe(1);
  const all = Object.values(reads).reduce((sum, count) => sum + count, 0);
  expect(all, JSON.stringify(reads)).toBeLessThan(60);
});
