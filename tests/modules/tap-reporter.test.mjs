// The report of the end-to-end tests: `xtask/src/test/tally.rs` reads its counts.

import assert from "node:assert/strict";
import { test } from "node:test";
import TapReporter from "../tap-reporter.mjs";

/** A test of Playwright that passed. @param {string} title @param {number} duration in milliseconds */
const passed = (title, duration) => [
  { expectedStatus: "passed", location: { file: "/clone/tests/e2e/qr.spec.mjs", line: 7 }, titlePath: () => ["", "e2e", "qr.spec.mjs", title] },
  { status: "passed", duration },
];

/** What is reported of these tests, line by line. @param {any[][]} tests */
function reported(tests) {
  const reporter = new TapReporter();
  for (const [of, result] of tests) reporter.onTestEnd(of, result);
  /** @type {string[]} */
  const lines = [];
  const { log } = console;
  console.log = (text) => lines.push(...text.split("\n"));
  try {
    reporter.onEnd();
  } finally {
    console.log = log;
  }
  return lines;
}

const many = (/** @type {number} */ count) => Array.from({ length: count }, (_, at) => passed(`pays ${at}`, at * 100));

test("the slowest twenty of many tests are named, the slowest first, before the counts", () => {
  const lines = reported(many(22));
  assert.equal(lines.length, 22);
  assert.equal(lines[0], "# 2.1 s  e2e/qr.spec.mjs:7: pays 21");
  assert.equal(lines[19], "# 0.2 s  e2e/qr.spec.mjs:7: pays 2");
  assert.deepEqual(lines.slice(20), ["# pass 22", "# fail 0"]);
});

test("of few tests only the counts are told", () => {
  assert.deepEqual(reported(many(20)), ["# pass 20", "# fail 0"]);
});

test("no title is taken for a count", () => {
  const [slowest] = reported([...many(20), passed("waits; pass 3; 4 failed", 9_000)]);
  // The counts of a line are two words each, with semicolons between them.
  assert.equal(slowest, "# 9.0 s  e2e/qr.spec.mjs:7: waits, pass 3, 4 failed");
});
