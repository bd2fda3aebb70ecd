// Where the links of a guide lead on the site: `docs/site/sources.mjs`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { asOnTheSite } from "../../docs/site/sources.mjs";

/** The tokens of a text as markdown-it has them, after the plugin. */
function shown(/** @type {[string, string?][]} */ tokens, /** @type {string} */ repository) {
  const children = tokens.map(([type, href]) => ({
    type,
    href,
    attrGet: () => href,
    attrSet(/** @type {string} */ _, /** @type {string} */ value) {
      this.href = value;
    },
  }));
  const state = { tokens: [{ children }], env: { relativePath: "guides/start.md" } };
  const push = (/** @type {string} */ _, /** @type {(state: any) => void} */ rule) => rule(state);
  asOnTheSite({ core: { ruler: { push } } }, repository);
  return state.tokens[0].children.map(({ type, href }) => (href ? [type, href] : [type]));
}

test("a link to a source file is one while the repository is ours, and its words otherwise", () => {
  /** @type {[string, string?][]} */
  const text = [["link_open", "../examples/a.mjs"], ["text"], ["link_close"], ["link_open", "element.md#slots"], ["text"], ["link_close"]];
  const guide = [["link_open", "/guides/element.md#slots"], ["text"], ["link_close"]];
  const there = "https://git.example/shop";
  assert.deepEqual(shown(text, there), [["link_open", `${there}/blob/main/examples/a.mjs`], ["text"], ["link_close"], ...guide]);
  assert.deepEqual(shown(text, ""), [["text"], ...guide]);
});
