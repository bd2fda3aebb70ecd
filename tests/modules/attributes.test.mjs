// Attributes that are of no use in this page.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { given, unusableAddresses } = await moduleOf("checkout-element/attributes");
const { findPage } = await moduleOf("checkout-element/diagnostics/page");
const { lacks } = await moduleOf("checkout-element/sandbox");

const SHOP = "https://shop.example/cart";
const inPage = (/** @type {string} */ baseURI) => Reflect.set(globalThis, "document", { baseURI, documentElement: { lang: "" } });

/** An element with these attributes. */
function element(/** @type {Record<string, string>} */ attributes) {
  class Element {
    static observedAttributes = [];
    children = [];
    getAttribute = (/** @type {string} */ name) => attributes[name] ?? null;
    hasAttribute = (/** @type {string} */ name) => name in attributes;
    getAttributeNames = () => [];
  }
  return new Element();
}

/** What the console says about the addresses of such an element. */
const said = (/** @type {Record<string, string>} */ attributes) =>
  findPage(given(element(attributes)), element(attributes))
    .filter((/** @type {any} */ { code }) => code === "base-url")
    .map((/** @type {any} */ { is }) => is);

beforeEach(() => inPage(SHOP));

test("addresses and their places are usable, and absent ones are no mistake", () => {
  const urls = { "base-url": "/api", "status-url": "https://pay.example/{merchant_code}/{transaction_id}", "live-url": "" };
  assert.deepEqual(unusableAddresses(element(urls)), []);
  assert.equal(given(element(urls)).baseUrl, "/api");
  assert.deepEqual(said(urls), []);
});

test("an address that is none counts as absent, and with it all that a payment needs", () => {
  const { baseUrl, statusUrl, liveUrl, merchantName } = given(
    element({ "base-url": "/api", "status-url": "https://[", "live-url": "/live", "merchant-name": "Rosa" }),
  );
  assert.deepEqual([baseUrl, statusUrl, liveUrl, merchantName], [undefined, undefined, "/live", "Rosa"]);
  assert.equal(given(element({ "base-url": "/api", "live-url": "https://[" })).baseUrl, "/api");
  assert.deepEqual(said({ "base-url": "/api", "status-url": "https://[" }), ["status-url is not an address: https://["]);
  assert.deepEqual(said({}), ['base-url is missing: it says where your server answers, as in base-url="/api"']);
});

test("an address with a password is of no use, and is not printed", () => {
  const [is] = said({ "base-url": "https://me:secret@shop.example/api" });
  assert.match(is, /^base-url has a name or a password in it/);
  assert.doesNotMatch(is, /secret/);
});

test("where the page's own address is none, a relative one is told to be written whole", () => {
  inPage("blob:https://shop.example/0b-1");
  assert.deepEqual(said({ "base-url": "/api" }), [
    "base-url is not an address: /api; the page is blob:https:…, to which no address is relative: write it whole",
  ]);
  assert.deepEqual(said({ "base-url": "https://shop.example/api" }), []);
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
