// The state that a page can style. `element-life.spec.mjs` has it in a browser of today.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { ScreenState } = await moduleOf("checkout-element/screen-state");

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
