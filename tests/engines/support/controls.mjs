// Finds what a payer sees, through open shadow roots. The drivers' own searches by role and label need
// functions that an old browser lacks.

import { isDeepStrictEqual } from "node:util";
import { until } from "./until.mjs";

/** @typedef {import("./engine.mjs").Engine} Engine */
/** @typedef {string | RegExp} Name the whole of it, or a pattern */

/**
 * Clicks in the middle of the only button or link with this name.
 *
 * @param {Engine} engine
 * @param {Name} name
 */
export async function press(engine, name) {
  let last;
  // The place counts once it stays the same: a screen that appears may move.
  const place = await until(`a button ${name}`, async () => {
    const seen = await engine.evaluate(placeOf, "button, a[href]", patternOf(name));
    const rests = isDeepStrictEqual(seen, last);
    last = seen;
    if (seen.trouble) throw new Error(seen.trouble);
    return rests && seen;
  });
  await engine.click(place.x, place.y);
}

/**
 * Waits for something visible with this name.
 *
 * @param {Engine} engine
 * @param {string} selector
 * @param {Name} name
 */
export async function see(engine, selector, name) {
  await until(`${selector} ${name}`, () => sees(engine, selector, name));
}

/**
 * True if something with this name is visible.
 *
 * @param {Engine} engine
 * @param {string} selector
 * @param {Name} name
 */
export async function sees(engine, selector, name) {
  const { trouble } = await engine.evaluate(placeOf, selector, patternOf(name));
  return trouble !== "nothing is there";
}

/** The name of the control that has the focus. @param {Engine} engine */
export async function focused(engine) {
  return engine.evaluate(() => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return node === document.body ? "" : (node?.getAttribute("aria-label") ?? node?.textContent?.trim() ?? "");
  });
}

/** The text that is marked, in shadow roots too. @param {Engine} engine */
export async function marked(engine) {
  return engine.evaluate(() => String(getSelection()));
}

/** A name in a form that can be sent to the page. @param {Name} name */
function patternOf(name) {
  if (name instanceof RegExp) return { source: name.source, flags: name.flags };
  return { source: `^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`, flags: "" };
}

/** Runs in the page: the middle of a control, or why it cannot be pressed. */
function placeOf(selector, { source, flags }) {
  const pattern = new RegExp(source, flags);
  const found = [];
  const search = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) search(node.shadowRoot);
      if (!node.matches(selector)) continue;
      const name = node.getAttribute("aria-label") || node.getAttribute("alt") || node.textContent.trim();
      const shown = node.getClientRects().length > 0 && getComputedStyle(node).visibility === "visible";
      if (shown && pattern.test(name)) found.push(node);
    }
  };
  search(document);
  const [node] = found;
  if (!node) return { trouble: "nothing is there" };
  if (found.length > 1) return { trouble: `${found.length} have this name` };
  if (node.disabled) return { trouble: "it is disabled" };
  node.scrollIntoView({ block: "center" });
  const { left, top, width, height } = node.getBoundingClientRect();
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  let hit = document.elementFromPoint(x, y);
  for (let inner = hit; inner; ) {
    hit = inner;
    const deeper = hit.shadowRoot?.elementFromPoint(x, y);
    inner = deeper === hit ? null : (deeper ?? null);
  }
  if (!node.contains(hit)) return { trouble: "something lies over it" };
  return { x, y };
}
