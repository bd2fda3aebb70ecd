// Texts of a page in place of the element's.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { overrides } = await moduleOf("checkout-element/overrides");
const { default: keys } = await moduleOf("checkout-element/printed/text-keys");

const warn = mock.method(console, "warn", () => {});
const warnings = () => warn.mock.calls.map(({ arguments: [message] }) => message.replace("payment-checkout: messages: ", ""));
beforeEach(() => warn.mock.resetCalls());

const at = (/** @type {string} */ key) => keys.findIndex((/** @type {string} */ entry) => entry.split(" ")[0] === key);

test("a text of the page is at the place of the one that it replaces", () => {
  const texts = overrides({ "choose.heading": "Pick", "bill.total": "Sum" });
  assert.equal(texts[at("choose.heading")], "Pick");
  assert.equal(texts[at("bill.total")], "Sum");
  assert.equal(texts.filter((/** @type {unknown} */ text) => text !== undefined).length, 2);
  assert.deepEqual(warnings(), []);
});

test("what is no text changes nothing", () => {
  for (const own of [{ "choose.heading": 5 }, "choose.heading", null, { toJSON: () => null }]) assert.deepEqual(overrides(own), []);
});

test("an object that throws when it is read changes nothing", () => {
  const own = Object.defineProperty({}, "choose.heading", { enumerable: true, get: () => { throw new Error("no"); } });
  assert.deepEqual(overrides(own), []);
});

test("an unknown key is reported once, with the nearest key", () => {
  overrides({ "qr.scan-stop": "Scan" });
  overrides({ "qr.scan-stop": "Scan" });
  overrides({ zebra: "" });
  assert.deepEqual(warnings(), ["there is no text named qr.scan-stop; the nearest is qr.scan-step", "there is no text named zebra"]);
});

test("a value that is unknown or left out is reported", () => {
  overrides({ "qr.verify-payee-step": "Pay {amount} to {shop} {" });
  assert.deepEqual(warnings(), ["qr.verify-payee-step has no value for {shop}", "qr.verify-payee-step leaves out {payee}"]);
});
