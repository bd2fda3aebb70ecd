// The choice of methods: what it offers, and its texts. `first-screen.spec.mjs` has the screen itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { choiceTexts, offers } = await moduleOf("checkout-element/choice");
const { TEXT_INDEX, TEXTS } = await moduleOf("checkout-element/printed/first-screen");

test("known methods are offered in their order, each once", () => {
  assert.deepEqual(offers("INSTALLMENT QR"), ["INSTALLMENT", "QR"]);
  assert.deepEqual(offers(" QR  QR\nCASHCODE "), ["QR", "CASHCODE"]);
  assert.deepEqual(offers("qr CHEQUE constructor"), []);
});

test("without the attribute there are two methods", () => {
  assert.deepEqual(offers(undefined), ["QR", "INSTALLMENT"]);
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
