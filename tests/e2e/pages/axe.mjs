import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const LOOKS = [
  { colorScheme: "light", forcedColors: "none" },
  { colorScheme: "dark", forcedColors: "none" },
  { colorScheme: "light", forcedColors: "active" },
];
const WIDTHS = [320, 1280];

/** What axe finds in an element, in every look and width. */
export async function findings(page, tag) {
  await page.evaluate(AXE);
  const found = [];
  for (const look of LOOKS) {
    for (const width of WIDTHS) {
      await page.emulateMedia({ ...look, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      const violations = await page.evaluate(async (tag) => {
        // Colors that are on their way to the new look are nobody's colors.
        const { shadowRoot } = document.querySelector(tag);
        const moving = [...document.getAnimations(), ...shadowRoot.getAnimations()];
        await Promise.all(moving.map((animation) => animation.finished));
        const { violations } = await axe.run(tag, { resultTypes: ["violations"] });
        return violations.flatMap(({ id, nodes }) =>
          nodes.map((node) => `${id}: ${node.target.flat().join(" ")}: ${node.failureSummary}`),
        );
      }, tag);
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
