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
    if (result.status === test.expectedStatus) {
      this.#passed += 1;
      return;
    }
    this.#failed += 1;
    // A comparison has the expected value and the other one in lines of their own.
    const message = stripVTControlCharacters(result.error?.message ?? "no reason");
    const lines = message.split("\n").map((line) => line.trim());
    const reason = lines.filter(Boolean).slice(0, 3).join(" ");
    const [, , , ...titles] = test.titlePath();
    const place = test.location.file.replace(/^.*\/tests\//, "");
    console.log(`not ok ${this.#failed} - ${place}:${test.location.line} ${titles.join(" › ")}: ${reason}`);
  }

  onEnd() {
    console.log(`# pass ${this.#passed}\n# fail ${this.#failed}`);
  }

  printsToStdio() {
    return false;
  }
}
