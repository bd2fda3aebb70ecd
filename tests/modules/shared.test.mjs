// Parts that both elements share and that need no page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { guardedExports } = await moduleOf("shared/guarded-exports");
const { propertyOf } = await moduleOf("shared/custom-element");
const { webAddress } = await moduleOf("shared/web-address");

test("an exception stops the wasm: the first is reported, and later calls do nothing", () => {
  /** @type {unknown[]} */
  const reasons = [];
  let calls = 0;
  const trap = new Error("unreachable");
  const exports = {
    memory: {},
    add: (/** @type {number} */ one, /** @type {number} */ other) => { calls += 1; return one + other; },
    fail: () => { throw trap; },
  };
  const guarded = guardedExports(exports, (/** @type {unknown} */ reason) => reasons.push(reason));
  assert.equal(guarded.memory, exports.memory);
  assert.equal(guarded.add(1, 2), 3);
  assert.throws(() => guarded.fail(), trap);
  assert.equal(guarded.add(1, 2), undefined);
  assert.equal(guarded.fail(), undefined);
  assert.equal(calls, 1);
  assert.deepEqual(reasons, [trap]);
});

test("an exception that passes through an outer call is reported once", () => {
  /** @type {unknown[]} */
  const reasons = [];
  /** @type {any} */
  const guarded = guardedExports(
    { outer: () => guarded.inner(), inner: () => { throw new Error("unreachable"); } },
    (/** @type {unknown} */ reason) => reasons.push(reason),
  );
  assert.throws(() => guarded.outer());
  assert.equal(reasons.length, 1);
});

test("a property is its attribute in camel case", () => {
  assert.equal(propertyOf("merchant-operation-number"), "merchantOperationNumber");
  assert.equal(propertyOf("amount"), "amount");
});

test("a link leads to web addresses only", () => {
  const base = "https://shop.example/cart/";
  assert.equal(webAddress("../pay?order=1", base), "https://shop.example/pay?order=1");
  assert.equal(webAddress("http://other.example", base), "http://other.example/");
  for (const text of ["javascript:alert(1)", "data:text/html,x", "https://", "", null]) assert.equal(webAddress(text, base), undefined, String(text));
});
