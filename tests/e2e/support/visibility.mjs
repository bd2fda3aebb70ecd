/** @import { Page } from "@playwright/test" */

/**
 * The payer turns to another tab or app, or back.
 * @param {Page} page
 * @param {boolean} hidden
 */
export async function look(page, hidden) {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
    const visibilityState = hidden ? "hidden" : "visible";
    Object.defineProperty(document, "visibilityState", { configurable: true, value: visibilityState });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}
