// What keeps people out of a page: axe's findings, and what Tab does not reach.

import { expect } from "@playwright/test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @type {{ colorScheme: "light" | "dark", forcedColors: "none" | "active" }[]} */
const LOOKS = [
  { colorScheme: "light", forcedColors: "none" },
  { colorScheme: "dark", forcedColors: "none" },
  { colorScheme: "light", forcedColors: "active" },
];
const WIDTHS = [320, 1280];

/**
 * Returns axe's findings in a part of the page, in every look and width.
 *
 * @param {import("@playwright/test").Page} page
 * @param {string} part a selector
 * @param {object} [more]
 * @param {string[]} [more.themes] the only ones, where the page has chosen its own
 * @param {Record<string, { enabled: boolean }>} [more.rules] of axe, that differ from the usual
 */
export async function findings(page, part, { themes = ["light", "dark"], rules = {} } = {}) {
  await page.evaluate(AXE);
  const found = [];
  for (const look of LOOKS.filter(({ colorScheme }) => themes.includes(colorScheme))) {
    for (const width of WIDTHS) {
      await page.emulateMedia({ ...look, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      const violations = await page.evaluate(
        async ({ part, rules }) => {
          // Colors in the middle of a transition to the new look do not count; a part that is drawn anew ends its own.
          const roots = [...document.querySelectorAll("*")].flatMap((node) => node.shadowRoot ?? []);
          const all = [document, ...roots].flatMap((root) => root.getAnimations());
          // One within a closed disclosure does not go on.
          const moving = all.filter(({ effect }) => /** @type {KeyframeEffect} */ (effect).target?.checkVisibility());
          await Promise.all(moving.map((animation) => animation.finished.catch(() => {})));
          /** @type {typeof import("axe-core")} */
          const axe = Reflect.get(globalThis, "axe");
          const { violations } = await axe.run(part, {
            resultTypes: ["violations"],
            rules: { "target-size": { enabled: true }, ...rules },
          });
          return violations.flatMap(({ id, nodes }) =>
            nodes.map((node) => `${id}: ${node.target.flat().join(" ")}: ${node.failureSummary}`),
          );
        },
        { part, rules },
      );
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      const name = `${look.colorScheme} ${look.forcedColors} ${width}px`;
      found.push(...violations.map((violation) => `${name}: ${violation}`));
      if (sideways) {
        found.push(`${name}: the page scrolls sideways`);
      }
    }
  }
  return found;
}

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
