// The choice of methods: what it offers, and its texts. `first-screen.spec.mjs` has the screen itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { choiceTexts, offers } = await moduleOf("element/choice");

test("known methods are offered in their order, each once", () => {
  assert.deepEqual(offers("INSTALLMENT QR"), ["INSTALLMENT", "QR"]);
  assert.deepEqual(offers(" QR  QR\nCASHCODE "), ["QR", "CASHCODE"]);
  assert.deepEqual(offers("qr CHEQUE constructor"), []);
});

test("without the attribute there are two methods", () => {
  assert.deepEqual(offers(undefined), ["QR", "INSTALLMENT"]);
});

test("a text stands where the list of all texts has it, and the page's own is in a list", () => {
  assert.equal(choiceTexts("en-GB")[3], "Choose");
  assert.equal(choiceTexts("EN_us")[3], "Choose");
  assert.deepEqual(choiceTexts("en", { "choose.heading": "Pay" })[3], ["Pay"]);
  assert.equal(choiceTexts("en", { "choose.heading": 5 })[3], "Choose");
});

test("a language that the element does not have is Spanish", () => {
  assert.equal(choiceTexts("fr")[3], "Elige");
  assert.equal(choiceTexts("constructor")[3], "Elige");
});
