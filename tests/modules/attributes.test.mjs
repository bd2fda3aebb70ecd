// What a page says by attributes: what is of no use in it, and an order, which is the same after it is signed anew.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { given, unusableAddresses, withOrder } = await moduleOf("checkout-element/attributes");
const { lacks } = await moduleOf("checkout-element/sandbox");
const { orderIdentity } = await moduleOf("checkout-element/signed-order");

const SHOP = "https://shop.example/cart";
const inPage = (/** @type {string} */ baseURI) => Reflect.set(globalThis, "document", { baseURI, documentElement: { lang: "" } });

/** An element with these attributes. */
function element(/** @type {Record<string, string>} */ attributes) {
  return { getAttribute: (/** @type {string} */ name) => attributes[name] ?? null };
}

beforeEach(() => inPage(SHOP));

test("addresses and their places are usable, and absent ones are no mistake", () => {
  const urls = { "base-url": "/api", "status-url": "https://pay.example/{merchant_code}/{transaction_id}", "live-url": "" };
  assert.deepEqual(unusableAddresses(element(urls)), []);
  assert.equal(given(element(urls)).baseUrl, "/api");
});

test("an address that is none counts as absent, and with it all that a payment needs", () => {
  const { baseUrl, statusUrl, liveUrl, merchantName } = given(
    element({ "base-url": "/api", "status-url": "https://[", "live-url": "/live", "merchant-name": "Rosa" }),
  );
  assert.deepEqual([baseUrl, statusUrl, liveUrl, merchantName], [undefined, undefined, "/live", "Rosa"]);
  assert.equal(given(element({ "base-url": "/api", "live-url": "https://[" })).baseUrl, "/api");
});

test("a frame around the page, or around that, may lack a word of its sandbox", () => {
  const frame = (/** @type {string[] | undefined} */ words) => ({
    hasAttribute: () => words !== undefined,
    sandbox: { contains: (/** @type {string} */ word) => words?.includes(word) },
  });
  const around = (/** @type {ReturnType<typeof frame> | null} */ frameElement, /** @type {object} */ parent) =>
    Object.assign(globalThis, { frameElement, parent });
  const page = { frameElement: null };
  around(null, page);
  assert.equal(lacks("allow-modals"), false);
  around(frame(["allow-scripts"]), page);
  assert.equal(lacks("allow-modals"), true);
  assert.equal(lacks("allow-scripts"), false);
  around(frame(undefined), { frameElement: frame(["allow-scripts"]), parent: page });
  assert.equal(lacks("allow-modals"), true);
  around(frame(undefined), page);
  assert.equal(lacks("allow-modals"), false);
});

const signed = (/** @type {object} */ claims, /** @type {string} */ signature) =>
  ["e30", Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");

test("two signatures of one order are one identity", () => {
  // The claims have letters that base64url writes in another way than base64.
  const claims = { order_id: "1001", note: "¿ÿ?>~ÿÿ" };
  const first = orderIdentity({ order: signed(claims, "aaa") });
  assert.equal(first, '{"order":[null,"1001"]}');
  assert.equal(orderIdentity({ order: signed({ ...claims, iat: 5 }, "bbb") }), first);
});

test("another order or another store is another identity, inside a list too", () => {
  assert.equal(orderIdentity([null, { order: signed({ order_id: "1002" }, "a") }]), '[null,{"order":[null,"1002"]}]');
  const north = signed({ order_id: "1001", merchant_code: "north" }, "a");
  assert.equal(orderIdentity({ order: north }), '{"order":["north","1001"]}');
});

test("what is not signed stays as it is", () => {
  assert.equal(orderIdentity({ order: "1001", order_id: "a.b.c" }), '{"order":"1001","order_id":"a.b.c"}');
  assert.equal(orderIdentity({ order: signed({ other: 1 }, "a") }), `{"order":"${signed({ other: 1 }, "a")}"}`);
  assert.equal(orderIdentity({ token: signed({ order_id: "1" }, "a") }), `{"token":"${signed({ order_id: "1" }, "a")}"}`);
  assert.equal(orderIdentity({ order: { id: 5 } }), '{"order":{"id":5}}');
});

test("what is not JSON has no identity", () => {
  /** @type {Record<string, unknown>} */
  const circle = {};
  circle.self = circle;
  assert.equal(orderIdentity(circle), undefined);
  assert.equal(orderIdentity(1n), undefined);
});

test("attributes win over what the order says, and a price is taken whole", () => {
  const order = signed({ order_id: "1", amount: 4500, currency: "PEN", label: "R-1042 ñ" }, "a");
  assert.deepEqual(withOrder({ order }), { order, amount: "4500", currency: "PEN", orderLabel: "R-1042 ñ" });
  const own = { order, amount: "4600", currency: "USD", orderLabel: "1042" };
  assert.deepEqual(withOrder(own), own);
  for (const half of [{ amount: "4600" }, { currency: "USD" }]) {
    assert.deepEqual(withOrder({ order, ...half }), { order, ...half, orderLabel: "R-1042 ñ" });
  }
});
