// A style sheet that shadow roots share.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { SharedStyleSheet } = await moduleOf("shared/style-sheet");

/** A document whose window makes sheets of its own. */
function aDocument() {
  const document = { ownerDocument: null, adoptedStyleSheets: [], defaultView: {} };
  Reflect.set(document.defaultView, "CSSStyleSheet", class {
    of = document;
    css = "";
    /** @param {string} css */
    replaceSync(css) { this.css = css; }
  });
  return document;
}

const rootIn = (/** @type {object} */ document) => ({ ownerDocument: document, adoptedStyleSheets: /** @type {any[]} */ ([]) });

test("roots of a document share a sheet, and each document has its own", () => {
  const sheet = new SharedStyleSheet("p { color: red }", () => new URL("https://shop.example/style.css"));
  const [one, other] = [aDocument(), aDocument()];
  const roots = [rootIn(one), rootIn(one), rootIn(other)];
  for (const root of roots) assert.equal(sheet.dress(root), undefined);
  const [first, second, third] = roots.map(({ adoptedStyleSheets: [adopted] }) => adopted);
  assert.equal(first, second);
  assert.equal(first.of, one);
  assert.equal(third.of, other);
  assert.equal(third.css, "p { color: red }");
  assert.equal(sheet.made(one), first);
});

test("an element that is moved to another document adopts the sheet of that one", () => {
  const sheet = new SharedStyleSheet("p { color: red }", () => new URL("https://shop.example/style.css"));
  const [one, other] = [aDocument(), aDocument()];
  const root = rootIn(one);
  sheet.dress(root);
  // A browser takes the sheets of a document out of a root that leaves it.
  Object.assign(root, { ownerDocument: other, adoptedStyleSheets: [] });
  sheet.dress(root);
  assert.equal(root.adoptedStyleSheets[0].of, other);
});
