// The way from the receipt to the page that follows. `tag-alone.spec.mjs` has it in a real page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { NextPage } = await moduleOf("checkout-element/next-page");

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
    assert.deepEqual(page.said, {}, which);
  }
});
