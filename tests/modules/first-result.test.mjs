// The promise of a checkout's first result.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { FirstResult } = await moduleOf("checkout-element/first-result");

/** A result of the checkout of an order, which can be changed. */
function checkout() {
  const identity = { order_id: "1" };
  return { identity, result: new FirstResult(() => [identity]) };
}

test("a page that asks before or after the first result gets that one", async () => {
  const { result } = checkout();
  result.begin();
  const early = result.promise();
  result.resolve({ outcome: "paid" });
  result.resolve({ outcome: "reversed" });
  assert.deepEqual(await early, { outcome: "paid" });
  assert.deepEqual(await result.promise(), { outcome: "paid" });
});

test("another checkout rejects the promise of one that ran, and has a result of its own", async () => {
  const { identity, result } = checkout();
  result.begin();
  const first = result.promise();
  identity.order_id = "2";
  result.renew();
  await assert.rejects(first, { name: "AbortError" });
  result.begin();
  result.resolve({ outcome: "paid" });
  assert.deepEqual(await result.promise(), { outcome: "paid" });
});

test("a checkout that never ran is only being described", async () => {
  const { identity, result } = checkout();
  const promise = result.promise();
  identity.order_id = "2";
  result.renew();
  result.begin();
  result.resolve({ outcome: "paid" });
  assert.deepEqual(await promise, { outcome: "paid" });
});

test("a late result of the checkout before is not one of the present checkout", async () => {
  const { identity, result } = checkout();
  result.begin();
  identity.order_id = "2";
  result.renew();
  result.resolve({ outcome: "declined" });
  result.begin();
  result.resolve({ outcome: "paid" });
  assert.deepEqual(await result.promise(), { outcome: "paid" });
});
