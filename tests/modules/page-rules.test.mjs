// What a page gets wrong in its tag and its properties, and what the console says about it.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { given, withOrder } = await moduleOf("checkout-element/attributes");
const { brokenRules } = await moduleOf("checkout-element/page-rules");
const { findPage } = await moduleOf("checkout-element/diagnostics/page");
const { ATTRIBUTES, SWITCHES } = await moduleOf("checkout-element/printed/surface");

const inPage = (/** @type {string} */ baseURI) => Reflect.set(globalThis, "document", { baseURI, documentElement: { lang: "" } });

beforeEach(() => {
  inPage("https://shop.example/cart");
  Object.assign(globalThis, { frameElement: null });
});

/** An element with these attributes. */
const element = (/** @type {Record<string, string>} */ attributes) =>
  Object.defineProperties(
    {},
    Object.fromEntries(
      Object.entries({
        children: [],
        getAttribute: (/** @type {string} */ name) => attributes[name] ?? null,
        getAttributeNames: () => Object.keys(attributes),
      }).map(([name, value]) => [name, { value }]),
    ),
  );

/** What the console says about such an element, each with its code. */
function said(/** @type {Record<string, string>} */ attributes, properties = {}) {
  const it = element(attributes);
  const settings = { ...withOrder(given(it)), ...properties };
  const broken = brokenRules(settings, it);
  return findPage({ settings, broken }).map((/** @type {any} */ { code, is }) => `${code}: ${is}`);
}

const SOUND = { "base-url": "/api" };
const TEXTS = ["undefined", "[object Object]", "{{ name }}"];
const ADDRESS = ["https://[", "localhost:3000/api", "/{merchantCode}"];
const PAGE = ["https://[", "javascript:1", "mailto:help@shop.example"];
const NUMBERS = { "merchant-code": "100000001", "merchant-operation-number": "0042" };
const PRICE = { amount: "12990", currency: "PEN" };

/**
 * Each attribute in three wrong ways, with the code that tells it and what else the tag has.
 * @type {Record<string, { code: string, wrong: string[], beside?: Record<string, string> }>}
 */
const WRONG = {
  "base-url": { code: "base-url", wrong: ["https://[", "https://me:secret@shop.example", "javascript:1"] },
  "authorize-url": { code: "base-url", wrong: [...ADDRESS.slice(0, 2), "/{merchant_code}"] },
  "status-url": { code: "base-url", wrong: ["http://", ...ADDRESS.slice(1)] },
  "cancel-url": { code: "base-url", wrong: ADDRESS },
  "live-url": { code: "base-url", wrong: ["http://", "ftp://shop.example", "/{order}"] },
  methods: { code: "methods", wrong: ["QR,INSTALLMENT", "qr", "QR QR"] },
  amount: { code: "amount", wrong: ["129.90", "S/ 129", "-1"], beside: PRICE },
  currency: { code: "amount", wrong: ["soles", "S/", "60"], beside: PRICE },
  "merchant-name": { code: "unfilled", wrong: TEXTS },
  "payee-name": { code: "unfilled", wrong: TEXTS },
  wallets: { code: "unfilled", wrong: TEXTS },
  "page-url": { code: "page-url", wrong: PAGE },
  "help-url": { code: "help-url", wrong: ["chat", "javascript:alert(1)", "//elsewhere.example"] },
  order: { code: "order", wrong: ["1001", "a.b.c", "undefined"] },
  "order-label": { code: "unfilled", wrong: TEXTS },
  "redirect-url": { code: "redirect-url", wrong: ["https://[", "http://", "//"] },
  "paid-url": { code: "paid-url", wrong: PAGE },
  "redirect-hosts": { code: "redirect-hosts", wrong: ["https://bank.example/", "*.bank.example", "bank.example:443"] },
  "merchant-code": { code: "unfilled", wrong: TEXTS, beside: NUMBERS },
  "merchant-operation-number": { code: "unfilled", wrong: TEXTS, beside: NUMBERS },
  "transaction-id": { code: "unfilled", wrong: TEXTS, beside: NUMBERS },
  "heading-level": { code: "heading-level", wrong: ["7", "h2", "2.5"] },
  locale: { code: "locale", wrong: ["fr", "english", "constructor"] },
  "fallback-locale": { code: "locale", wrong: ["fr", "english", "constructor"] },
  "hide-choice": { code: "switch", wrong: ["false", "0", "no"] },
  debug: { code: "switch", wrong: ["false", "0", "off"] },
};

test("each attribute that is wrong in one of three ways is told in one line, by its name", () => {
  assert.deepEqual(Object.keys(WRONG), [...ATTRIBUTES, ...SWITCHES]);
  for (const [name, { code, wrong, beside }] of Object.entries(WRONG)) {
    assert.equal(wrong.length, 3);
    assert.deepEqual(said({ ...SOUND, ...beside }), [], name);
    for (const value of wrong) {
      const lines = said({ ...SOUND, ...beside, [name]: value });
      assert.equal(lines.length, 1, `${name}="${value}": ${lines.join("; ")}`);
      assert.match(lines[0], new RegExp(`^${code}: ${name}\\b.*\\. [A-Z]`));
    }
  }
});

test("a sound tag breaks no rule", () => {
  for (const attributes of [
    SOUND,
    { "authorize-url": "/start", "status-url": "https://pay.example/{merchant_code}/{transaction_id}", "cancel-url": "/cancel", "live-url": "" },
    { ...SOUND, ...PRICE, methods: " QR  CARD ", "heading-level": "3", locale: "en_US", "hide-choice": "", debug: "debug" },
    { ...SOUND, ...NUMBERS, "transaction-id": "7", "redirect-hosts": "bank.example [::1]:8443 localhost:8080", "fallback-locale": "PT" },
    { ...SOUND, "help-url": "https://shop.example/help?n={number}", "paid-url": "/thanks", "page-url": "pay", "redirect-url": "?back=1#a" },
    { ...SOUND, "redirect-url": "myshop://paid" },
    { ...SOUND, "help-url": "mailto:help@shop.example", "data-base": "1", ":base-url": "x", "x-name": "1", class: "a" },
  ]) {
    assert.deepEqual(said(attributes), []);
  }
  assert.deepEqual(said(SOUND, { request: { order_id: "1001" }, messages: { "choose.heading": "Elige" } }), []);
  assert.deepEqual(said({ ...SOUND, locale: "fr" }, { messages: { locale: "fr" } }), []);
});

test("addresses, prices and operations are whole or absent", () => {
  assert.deepEqual(said({}), ['base-url: base-url is missing. Give the address of your server, as in base-url="/api"']);
  assert.deepEqual(said({ "authorize-url": "/a", "status-url": "/b" }).length, 1);
  assert.match(said({ ...SOUND, amount: "12990" })[0], /^amount: currency is missing/);
  assert.match(said({ ...SOUND, currency: "PEN" })[0], /^amount: amount is missing/);
  assert.match(said({ ...SOUND, "merchant-code": "1" })[0], /^operation: merchant-operation-number is missing/);
  assert.match(said({ ...SOUND, "transaction-id": "1" })[0], /^operation: merchant-code and merchant-operation-number are missing/);
});

test("an address with a password is not printed", () => {
  assert.deepEqual(said({ "base-url": "https://me:secret@shop.example/api" }), [
    "base-url: base-url has a name or a password in it, to which no browser makes a request. Write the address without",
  ]);
});

test("an address is printed up to its host, since a token may follow", () => {
  const secrets = {
    "base-url": "localhost:8080/api/SECRET",
    "page-url": "localhost:8080/api/pay/SECRET",
    "paid-url": "htps://me:SECRET@shop.example",
    "redirect-url": "https://[/SECRET",
    "help-url": "//elsewhere.example/SECRET",
    "live-url": "https://shop.example/SECRET/{{id}}",
  };
  for (const [name, value] of Object.entries(secrets)) {
    const lines = said({ ...SOUND, [name]: value });
    assert.ok(lines.length > 0, name);
    assert.doesNotMatch(lines.join(), /SECRET/, name);
  }
});

test("a value is told as it was judged, though the page has set another one since", () => {
  const attributes = /** @type {Record<string, string>} */ ({ ...SOUND, "merchant-name": "undefined" });
  const it = element(attributes);
  const settings = given(it);
  const broken = brokenRules(settings, it);
  attributes["merchant-name"] = "Rosa";
  const [{ is }] = findPage({ settings, broken });
  assert.match(is, /^merchant-name is "undefined"/);
});

test("where the page's own address is none, a relative one is told to be written whole", () => {
  inPage("blob:https://shop.example/0b-1");
  assert.deepEqual(said(SOUND), [
    "base-url: base-url is not an address: /api: the page is blob:https:…, to which no address is relative. Write it as in /api or https://pay.example/api",
  ]);
  assert.deepEqual(said({ "base-url": "https://shop.example/api" }), []);
});

test("a property of another type, and a name near a known one, are told", () => {
  for (const messages of ["Paga", 7]) assert.match(said(SOUND, { messages })[0], /^messages: /);
  const loop = {};
  Object.assign(loop, { loop });
  for (const request of ["1001", [], loop, 7]) assert.match(said(SOUND, { request })[0], /^request: .*\. (Set|Remove)/);
  assert.deepEqual(said({ ...SOUND, "base-ur1": "/a", kiosk: "1" }), ['name: there is no attribute "base-ur1"; did you mean "base-url"?']);
});
