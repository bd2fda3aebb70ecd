import { latch } from "./latch.mjs";

/** @import { Page } from "@playwright/test" */

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
