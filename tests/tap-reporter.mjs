// Reports Playwright's tests as TAP, as Node's own runner does, so that `cargo xtask test` counts both alike.

import { stripVTControlCharacters } from "node:util";

/**
 * @typedef {import("@playwright/test/reporter").TestCase} TestCase
 * @typedef {import("@playwright/test/reporter").TestResult} TestResult
 */

/** How many of the slowest tests are named. */
const NAMED = 20;

export default class TapReporter {
  #passed = 0;
  #failed = 0;
  /** @type {{ name: string, seconds: number }[]} */
  #ran = [];

  /** @param {TestCase} test @param {TestResult} result */
  onTestEnd(test, result) {
    if (result.status === "skipped") return;
    const [, , , ...titles] = test.titlePath();
    const title = titles.join(" › ");
    const place = `${test.location.file.replace(/^.*\/tests\//, "")}:${test.location.line}`;
    // Two words after a semicolon could be read as a count.
    this.#ran.push({ name: `${place}: ${title.replaceAll(";", ",")}`, seconds: result.duration / 1000 });
    if (result.status === test.expectedStatus) {
      this.#passed += 1;
      return;
    }
    this.#failed += 1;
    // A comparison has the expected value and the other one in lines of their own.
    const message = stripVTControlCharacters(result.error?.message ?? "no reason");
    const lines = message.split("\n").map((line) => line.trim());
    const reason = lines.filter(Boolean).slice(0, 3).join(" ");
    console.log(`not ok ${this.#failed} - ${place} ${title}: ${reason}`);
  }

  onEnd() {
    if (this.#ran.length > NAMED) {
      const slowest = this.#ran.toSorted((one, other) => other.seconds - one.seconds).slice(0, NAMED);
      for (const { name, seconds } of slowest) console.log(`# ${seconds.toFixed(1)} s  ${name}`);
    }
    console.log(`# pass ${this.#passed}\n# fail ${this.#failed}`);
  }

  printsToStdio() {
    return false;
  }
}
