// Parts that both elements share and that need no page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { guards } = await moduleOf("shared/guards");
const { propertyOf } = await moduleOf("shared/custom-element");
const { webAddress } = await moduleOf("shared/web-address");
const { SharedStyleSheet } = await moduleOf("shared/style-sheet");

/** The guards of an instance, and what they reported. */
function guarded() {
  /** @type {unknown[]} */
  const reasons = [];
  return { reasons, ...guards("payment-checkout", (/** @type {unknown} */ reason) => reasons.push(reason)) };
}

test("an exception stops an instance: the first is reported, and later calls do nothing", () => {
  const { reasons, exports: guard } = guarded();
  let calls = 0;
  const trap = new Error("unreachable");
  const exports = {
    memory: {},
    add: (/** @type {number} */ one, /** @type {number} */ other) => { calls += 1; return one + other; },
    fail: () => { throw trap; },
  };
  const own = guard(exports);
  assert.equal(own.memory, exports.memory);
  assert.equal(own.add(1, 2), 3);
  assert.throws(() => own.fail(), trap);
  assert.equal(own.add(1, 2), undefined);
  assert.equal(own.fail(), undefined);
  assert.equal(calls, 1);
  assert.deepEqual(reasons, [trap]);
});

test("an exception that passes through an outer call is reported once", () => {
  const { reasons, exports: guard } = guarded();
  /** @type {any} */
  const own = guard({ outer: () => own.inner(), inner: () => { throw new Error("unreachable"); } });
  assert.throws(() => own.outer());
  assert.equal(reasons.length, 1);
});

test("an import that fails gives nothing, and the empty text, and is told to the developer once", (context) => {
  const told = context.mock.method(console, "warn", () => {});
  const { reasons, imports, exports } = guarded();
  const memory = new WebAssembly.Memory({ initial: 1 });
  exports({ memory });
  const broken = new Error("the page broke this");
  const fail = () => { throw broken; };
  const own = imports({ now: fail, href: fail, add: (/** @type {number} */ one) => one + 1 }, { texts: ["href"], panics: [] });
  assert.equal(own.add(1), 2);
  assert.equal(own.now(), undefined);
  assert.equal(own.now(), undefined);
  new Int32Array(memory.buffer, 16, 2).set([7, 7]);
  assert.equal(own.href(16), undefined);
  assert.deepEqual([...new Int32Array(memory.buffer, 16, 2)], [8, 0]);
  assert.deepEqual(reasons, []);
  assert.equal(told.mock.callCount(), 2);
  assert.equal(told.mock.calls[0].arguments[1], broken);
});

test("a panic, and a stop in a call from within an import, leave the wasm", () => {
  const { reasons, imports, exports } = guarded();
  const trap = new Error("unreachable");
  /** @type {any} */
  const own = exports({ fail: () => { throw trap; } });
  const calls = imports({ panic: () => { throw trap; }, dispatch: () => own.fail() }, { texts: [], panics: ["panic"] });
  assert.throws(() => calls.panic(), trap);
  assert.deepEqual(reasons, []);
  assert.throws(() => calls.dispatch(), trap);
  assert.deepEqual(reasons, [trap]);
});

test("a property is its attribute in camel case", () => {
  assert.equal(propertyOf("merchant-operation-number"), "merchantOperationNumber");
  assert.equal(propertyOf("amount"), "amount");
});

test("a link leads to web addresses only", () => {
  Reflect.set(globalThis, "document", { baseURI: "https://shop.example/cart/" });
  assert.equal(webAddress("../pay?order=1"), "https://shop.example/pay?order=1");
  assert.equal(webAddress("http://other.example"), "http://other.example/");
  for (const text of ["javascript:alert(1)", "data:text/html,x", "https://", "", null]) assert.equal(webAddress(text), undefined, String(text));
});

// A style sheet that shadow roots share.

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
