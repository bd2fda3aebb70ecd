// Reports Playwright's tests as TAP, as Node's own runner does, so that `cargo xtask test` counts both alike.

import { stripVTControlCharacters } from "node:util";

/**
 * @typedef {import("@playwright/test/reporter").TestCase} TestCase
 * @typedef {import("@playwright/test/reporter").TestResult} TestResult
 */

export default class TapReporter {
  #passed = 0;
  #failed = 0;

  /** @param {TestCase} test @param {TestResult} result */
  onTestEnd(test, result) {
    if (result.status === "skipped") return;
    const isGood = result.status === test.expectedStatus;
    if (isGood) this.#passed += 1;
    else this.#failed += 1;
    const [, , , ...titles] = test.titlePath();
    const place = `${test.location.file.replace(/^.*\/tests\//, "")}:${test.location.line}`;
    // A comparison has the expected value and the other one in lines of their own.
    const message = isGood ? "" : stripVTControlCharacters(`: ${result.error?.message ?? "no reason"}`);
    const lines = message.split("\n").map((line) => line.trim());
    const reason = lines.filter(Boolean).slice(0, 3).join(" ");
    const number = this.#passed + this.#failed;
    console.log(`${isGood ? "ok" : "not ok"} ${number} - ${place} ${titles.join(" › ")}${reason}`);
    console.log(`  duration_ms: ${result.duration}`);
  }

  onEnd() {
    console.log(`# pass ${this.#passed}\n# fail ${this.#failed}`);
  }

  printsToStdio() {
    return false;
  }
}
