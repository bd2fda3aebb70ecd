// What a page gets of a payment: the state that it can style, the promise of its first result, and the way on from the receipt.
// `element-life.spec.mjs` and `tag-alone.spec.mjs` have them in a real page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { ScreenState } = await moduleOf("checkout-element/screen-state");
const { FirstResult } = await moduleOf("checkout-element/first-result");
const { NextPage } = await moduleOf("checkout-element/next-page");

test("a browser without custom states has an attribute", () => {
  for (const attachInternals of [undefined, () => ({})]) {
    /** @type {Record<string, string>} */
    const attributes = {};
    const setAttribute = (/** @type {string} */ name, /** @type {string} */ value) => (attributes[name] = value);
    const screen = new ScreenState({ attachInternals, setAttribute });
    assert.equal(screen.becomes("pending"), "loading");
    assert.deepEqual(attributes, { state: "pending" });
    assert.equal(screen.becomes("pending"), undefined);
  }
});

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

test("a receipt leads on after five seconds, and says so, unless the payer uses it, or to the page that has it", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { location: { href: "https://shop.example/pay#top" } });
  const thanks = "https://shop.example/thanks";
  for (const { url, uses = [], keeps = false, leads, says = [] } of [
    { url: thanks, leads: [thanks], says: ["shop.example"] },
    { url: thanks, keeps: true, leads: [thanks], says: ["shop.example", "stays"] },
    // Under a finger nothing moves until it is gone.
    { url: thanks, uses: ["pointerdown"], leads: [], says: ["shop.example"] },
    { url: thanks, uses: ["pointerdown", "click"], leads: [], says: ["shop.example", "stays"] },
    { url: thanks, uses: ["pointerdown", "pointercancel"], leads: [], says: ["shop.example", "stays"] },
    { url: thanks, uses: ["keydown"], leads: [], says: ["shop.example", "stays"] },
    // As a screen reader presses.
    { url: thanks, uses: ["click"], leads: [], says: ["shop.example", "stays"] },
    { url: "https://shop.example/pay#paid", leads: [] },
    { url: undefined, leads: [] },
  ]) {
    /** @type {string[]} */
    const led = [];
    /** @type {(string | undefined)[]} */
    const said = [];
    const element = new EventTarget();
    const leave = (/** @type {string} */ url) => led.push(url) > 0 && !keeps;
    const page = new NextPage(element, leave, () => said.push(page.said.stays ? "stays" : page.said.leadsOn));
    page.paid(url);
    context.mock.timers.tick(4_999);
    assert.deepEqual(led, [], "too early");
    for (const name of uses) element.dispatchEvent(new Event(name));
    context.mock.timers.tick(60_000);
    const which = `${url} ${uses}`;
    assert.deepEqual(led, leads, which);
    assert.deepEqual(said, says, which);
    page.stop();
    assert.deepEqual(page.said, { leadsOn: undefined, stays: false }, which);
  }
});
