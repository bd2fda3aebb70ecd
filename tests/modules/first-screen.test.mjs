// The choice of methods: what it offers, its texts, and its amounts. `first-screen.spec.mjs` has the screen itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { choiceTexts, offers } = await moduleOf("checkout-element/choice");
const { TEXT_INDEX, TEXTS } = await moduleOf("checkout-element/printed/first-screen");
const { codeOf, like, written } = await moduleOf("checkout-element/amounts");

test("known methods are offered in their order, each once", () => {
  assert.deepEqual(offers("INSTALLMENT QR"), ["INSTALLMENT", "QR"]);
  assert.deepEqual(offers(" QR  QR\nCASHCODE "), ["QR", "CASHCODE"]);
  assert.deepEqual(offers("qr CHEQUE constructor"), []);
});

test("without the attribute there are two methods", () => {
  assert.deepEqual(offers(undefined), ["QR", "INSTALLMENT"]);
});

const signed = (/** @type {unknown} */ claims) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;

test("a signed order leaves out what it does not name, and brings nothing", () => {
  const offered = (/** @type {unknown} */ methods) => offers("INSTALLMENT QR", { order: signed({ order_id: "ñ", methods }) });
  assert.deepEqual(offered(["QR"]), ["QR"]);
  assert.deepEqual(offered(["QR", "INSTALLMENT", "QR"]), ["INSTALLMENT", "QR"]);
  assert.deepEqual(offered(["QR", "CARD", "NUEVO"]), ["QR"]);
  // The wasm says that no method is left.
  assert.deepEqual(offered(["CARD"]), []);
  assert.deepEqual(offered(["qr"]), []);
});

test("what is no signed order with a list of methods leaves out nothing", () => {
  const all = ["QR", "INSTALLMENT"];
  for (const methods of [undefined, null, [], "QR", { 0: "QR", length: 1 }, [7], ["QR", null], [["QR"]], 7]) {
    assert.deepEqual(offers(undefined, { order: signed({ methods }) }), all, JSON.stringify(methods));
  }
  const token = signed({ methods: ["QR"] });
  const [, claims] = token.split(".");
  for (const order of [undefined, null, 7, {}, [token], "", "a.b.c", "..", `e30.${claims}`, `${token}.d`, `e30.${claims.slice(1)}.c`]) {
    assert.deepEqual(offers(undefined, { order }), all, String(order));
  }
  for (const claims of [null, 7, "methods", [], [["QR"]]]) assert.deepEqual(offers(undefined, { order: signed(claims) }), all);
  for (const request of [undefined, null, 7, "order", [], { order_id: "1001", methods: ["QR"] }]) {
    assert.deepEqual(offers(undefined, request), all);
  }
});

test("a text is where the list of all texts has it, and the page's own text beside it", () => {
  const at = TEXT_INDEX["choose.lead"];
  const lead = TEXTS.en["choose.lead"];
  assert.equal(choiceTexts("en-GB").texts[at], lead);
  assert.equal(choiceTexts("EN_us").texts[at], lead);
  const own = choiceTexts("en", { "choose.lead": "Pay" });
  assert.deepEqual([own.texts[at], own.overrides[at]], [lead, "Pay"]);
  assert.equal(choiceTexts("en", { "choose.lead": 5 }).overrides[at], undefined);
});

test("a currency is known by its number and by its code", () => {
  assert.equal(codeOf("12990", "604"), "PEN");
  assert.equal(codeOf("12990", "pen"), "PEN");
  assert.equal(codeOf("12990", "840"), "USD");
  assert.equal(codeOf("12990", "EUR"), undefined);
});

test("only whole cents that a number holds exactly are written", () => {
  assert.equal(codeOf("0", "PEN"), "PEN");
  assert.equal(codeOf("9".repeat(15), "PEN"), "PEN");
  for (const amount of ["9".repeat(16), "012", "-1", "1.5", "1e3", ""]) assert.equal(codeOf(amount, "PEN"), undefined, amount);
});

test("an amount has the separators of the sample", () => {
  assert.equal(like("S/ 1,234.56", "12990"), "S/ 129.90");
  assert.equal(like("S/ 1,234.56", "5"), "S/ 0.05");
  assert.equal(like("R$ 1.234,56", "123456789"), "R$ 1.234.567,89");
  assert.equal(like("1 234,56 US$", "100000"), "1 000,00 US$");
});

test("what is like a sample is what the formatter writes", () => {
  for (const [locale, currency] of [["es-PE", "PEN"], ["es-PE", "USD"], ["en", "PEN"], ["pt-BR", "USD"]]) {
    const sample = written(locale, "123456", currency).seen;
    for (const amount of ["1", "99", "12990", "100000001", "9".repeat(15)]) {
      assert.equal(like(sample, amount), written(locale, amount, currency).seen, `${amount} in ${locale}`);
    }
  }
});

test("soles have their sign in every language, and their name for a screen reader", () => {
  assert.match(written("en", "12990", "604").seen, /^S\/\s?129\.90$/);
  assert.match(written("en", "12990", "604").heard, /Peruvian soles/);
  assert.match(written("es-PE", "12990", "PEN").heard, /soles/);
});
