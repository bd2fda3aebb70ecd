// What tells staff of news outside their element: the title of the page, and a sound.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { Notices } = await moduleOf("staff-element/notices");

/** A document that trims its title, as a browser's does. @param {string} title */
function documentOf(title) {
  const document = {
    get title() { return title.trim(); },
    set title(text) { title = text; },
  };
  Object.assign(globalThis, { document });
  return document;
}

test("a number stands before the title, which comes back without it", () => {
  for (const own of ["Desk", "", "(7) Desk"]) {
    const document = documentOf(own);
    const notices = new Notices();
    notices.mark(3);
    assert.equal(document.title, `(3) ${own}`.trim());
    notices.mark(12);
    assert.equal(document.title, `(12) ${own}`.trim());
    notices.mark(0);
    assert.equal(document.title, own);
  }
});

test("a title that the page changes meanwhile is kept", () => {
  const document = documentOf("Desk");
  const notices = new Notices();
  notices.mark(3);
  document.title = "Orders";
  notices.mark(4);
  assert.equal(document.title, "(4) Orders");
  document.title = "Returns";
  notices.end();
  assert.equal(document.title, "Returns");
  notices.mark(5);
  notices.end();
  assert.equal(document.title, "Returns");
});

test("a page without a mark keeps its title untouched", () => {
  const document = documentOf("Desk");
  let writes = 0;
  Object.defineProperty(document, "title", { get: () => "Desk", set: () => { writes += 1; } });
  const notices = new Notices();
  notices.mark(0);
  notices.end();
  assert.equal(writes, 0);
});

test("the sound is short, and an element that is gone makes none", () => {
  /** @type {[string, number][]} */
  const heard = [];
  const contexts = [];
  class AudioContext {
    currentTime = 5;
    destination = {};
    constructor() { contexts.push(this); }
    // A page that does not let it play is no mistake of anybody's.
    resume() { return Promise.reject(new Error("not allowed")); }
    close() { heard.push(["closed", 0]); return Promise.resolve(); }
    createGain() { return { gain: { setValueAtTime() {}, linearRampToValueAtTime() {} }, connect() {} }; }
    createOscillator() {
      return {
        frequency: { value: 0 },
        connect: (/** @type {unknown} */ next) => next,
        start: (/** @type {number} */ at) => heard.push(["start", at]),
        stop: (/** @type {number} */ at) => heard.push(["stop", at]),
      };
    }
  }
  Object.assign(globalThis, { AudioContext });
  documentOf("Desk");
  const notices = new Notices();
  notices.ring();
  notices.ring();
  assert.equal(contexts.length, 1);
  const ends = heard.filter(([what]) => what === "stop").map(([, at]) => at - 5);
  assert.equal(ends.length, 4);
  assert.ok(Math.max(...ends) <= 0.4);
  notices.end();
  notices.end();
  assert.deepEqual(heard.slice(-2).map(([what]) => what), ["stop", "closed"]);
});
