// The report of the end-to-end tests: `crates/build/xtask/src/test/tally.rs` reads it.

import assert from "node:assert/strict";
import { test } from "node:test";
import TapReporter from "../tap-reporter.mjs";

/**
 * A test of Playwright.
 * @param {string} title
 * @param {string} status
 * @param {string} [message] of its error
 * @returns {any[]}
 */
const ended = (title, status, message) => [
  { expectedStatus: "passed", location: { file: "/clone/tests/e2e/qr.spec.mjs", line: 7 }, titlePath: () => ["", "e2e", "qr.spec.mjs", title] },
  { status, duration: 900, error: message && { message } },
];

test("a report has the name, the place and the time of each test, why it failed, and the counts", (context) => {
  const lines = [];
  context.mock.method(console, "log", (/** @type {string} */ text) => lines.push(...text.split("\n")));
  const reporter = new TapReporter();
  for (const [of, result] of [
    ended("pays", "passed"),
    ended("is left out", "skipped"),
    ended("waits", "failed", "Error: too late\n\n  Expected: 1\n  Received: 2\n  at a line"),
  ]) reporter.onTestEnd(of, result);
  reporter.onEnd();
  assert.deepEqual(lines, [
    "ok 1 - e2e/qr.spec.mjs:7 pays",
    "  duration_ms: 900",
    "not ok 2 - e2e/qr.spec.mjs:7 waits: Error: too late Expected: 1 Received: 2",
    "  duration_ms: 900",
    "# pass 1",
    "# fail 1",
  ]);
});
