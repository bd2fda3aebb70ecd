// The way from the receipt to the page that follows. `tag-alone.spec.mjs` has it in a real page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { NextPage } = await moduleOf("element/next-page");

test("a receipt leads on after five seconds, unless the payer uses it, or to the page that has it", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { location: { href: "https://shop.example/pay#top" } });
  const thanks = "https://shop.example/thanks";
  for (const { url, uses, leads } of [
    { url: thanks, leads: [thanks] },
    { url: thanks, uses: "pointerdown", leads: [] },
    { url: thanks, uses: "keydown", leads: [] },
    { url: "https://shop.example/pay#paid", leads: [] },
    { url: undefined, leads: [] },
  ]) {
    /** @type {string[]} */
    const led = [];
    const element = new EventTarget();
    new NextPage(element, (/** @type {string} */ url) => led.push(url)).paid(url);
    context.mock.timers.tick(4_999);
    assert.deepEqual(led, [], "too early");
    if (uses) element.dispatchEvent(new Event(uses));
    context.mock.timers.tick(60_000);
    assert.deepEqual(led, leads, `${url} ${uses}`);
  }
});
