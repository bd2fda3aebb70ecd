// Answers that a test holds back until it lets them through.

/** @import { Page } from "@playwright/test" */

/** `Promise.withResolvers`, which Node 20 lacks. */
export function latch() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

/**
 * Holds the wasm back. Returns what lets it through.
 * @param {Page} page
 */
export async function holdWasm(page) {
  const { promise: held, resolve: release } = latch();
  await page.route("**/*.wasm", async (route) => {
    await held;
    await route.continue();
  });
  return release;
}
