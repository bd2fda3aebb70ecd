import { expect } from "@playwright/test";

/**
 * Presses Tab until the control has the focus, and sees that the focus shows.
 * @param {import("@playwright/test").Page} page
 * @param {import("@playwright/test").Locator} control
 */
export async function tabTo(page, control, most = 25) {
  await control.waitFor();
  for (let count = 0; count < most; count += 1) {
    await page.keyboard.press("Tab");
    if (await control.evaluate((node) => node.matches(":focus"))) {
      await expect(control).toHaveCSS("outline-style", "solid");
      return;
    }
  }
  throw new Error(`Tab does not reach ${control}`);
}
