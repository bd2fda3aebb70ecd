// Texts of a page in place of the element's.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { withOverrides } = await moduleOf("element/overrides");

const warn = mock.method(console, "warn", () => {});
const warnings = () => warn.mock.calls.map(({ arguments: [message] }) => message.replace("payment-checkout: messages: ", ""));
beforeEach(() => warn.mock.resetCalls());

test("a text of the page is in a list, at the place of the one that it replaces", () => {
  assert.deepEqual(withOverrides({ "qr.heading": "Scan" }, ["a", "b", "c"]), ["a", ["Scan"], "c"]);
  assert.deepEqual(withOverrides({ "bill.total": "Sum" }), [["Sum"]]);
  assert.deepEqual(warnings(), []);
});

test("what is no text changes nothing", () => {
  for (const own of [{ "qr.heading": 5 }, "qr.heading", null, { toJSON: () => null }]) assert.deepEqual(withOverrides(own, ["a"]), ["a"]);
});

test("an object that throws when it is read changes nothing", () => {
  const own = Object.defineProperty({}, "qr.heading", { enumerable: true, get: () => { throw new Error("no"); } });
  assert.deepEqual(withOverrides(own, ["a"]), ["a"]);
});

test("an unknown key is reported once, with the nearest key", () => {
  withOverrides({ "qr.headings": "Scan" });
  withOverrides({ "qr.headings": "Scan" });
  withOverrides({ zebra: "" });
  assert.deepEqual(warnings(), ["there is no text named qr.headings; the nearest is qr.heading", "there is no text named zebra"]);
});

test("a value that is unknown or left out is reported", () => {
  withOverrides({ "qr.step": "Pay {amount} to {shop} {" });
  assert.deepEqual(warnings(), ["qr.step has no value for {shop}", "qr.step leaves out {payee}"]);
});
