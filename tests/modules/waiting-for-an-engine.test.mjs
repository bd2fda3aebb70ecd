// The wait of the tests themselves: it ends also where an engine no longer answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../engines/support/until.mjs";

test("a question that is never answered ends the wait", async () => {
  const silent = () => new Promise(() => {});
  await assert.rejects(until("an engine", silent, 10), /in vain for an engine: the last question got no answer/);
});

test("a question that is answered by no names what was waited for, and an error its cause", async () => {
  await assert.rejects(until("a yes", () => false, 10), /^Error: waited 0.01 s in vain for a yes$/);
  const broken = () => Promise.reject(new Error("the page is gone"));
  await assert.rejects(until("a page", broken, 10), /in vain for a page: the page is gone$/);
});

test("the first answer that is true ends the wait", async () => {
  let asked = 0;
  assert.equal(await until("the third", () => (asked += 1) === 3 && "third"), "third");
  assert.equal(asked, 3);
});
