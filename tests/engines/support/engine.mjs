// The engines, each with a driver of its own, behind one interface.

import { Firefox } from "./firefox.mjs";
import { OldChromium } from "./old-chromium.mjs";
import { WebKit } from "./webkit.mjs";

/**
 * A browser with one page, as a payer uses it.
 *
 * @typedef {object} Engine
 * @property {(url: string) => Promise<void>} open waits until the document is there
 * @property {<T, G extends any[]>(run: (...given: G) => T, ...given: G) => Promise<Awaited<T>>} evaluate
 *   runs a function in the page, which sees nothing but its arguments
 * @property {(x: number, y: number) => Promise<void>} click with the pointer, at a place of the view
 * @property {(name: "Escape" | "Enter" | "Tab") => Promise<void>} key presses a key
 * @property {() => Promise<void>} back
 * @property {() => Promise<void>} reload
 * @property {(width: number, height: number) => Promise<void>} resize gives the view this size
 * @property {() => Promise<Buffer>} picture the view as a PNG
 * @property {string[]} errors those that no script caught, as far as the driver hears of them
 * @property {() => Promise<void>} close
 */

/**
 * The start of an engine.
 *
 * @typedef {object} Start
 * @property {string} program the path of the browser, or of its driver
 * @property {boolean} dark whether the payer likes dark pages
 * @property {boolean} contrast whether the payer has colors of their own
 * @property {{ environment: Record<string, string>, language: string }} [desktop] where it shows a window, for a screen
 *   reader; Firefox only
 */

/** @type {Record<string, { program: string, start: (start: Start) => Promise<Engine> }>} */
const ENGINES = {
  firefox: { program: "/usr/bin/firefox-esr", start: Firefox.start },
  webkit: { program: "/usr/bin/WebKitWebDriver", start: WebKit.start },
  "chromium-103": { program: "", start: OldChromium.start },
  "chromium-92": { program: "", start: OldChromium.start },
};

/** The engine of this run. `cargo xtask test` says where its program is. */
export const name = process.env.ENGINE ?? "firefox";

/** @param {Partial<Start>} [look] @returns {Promise<Engine>} */
export async function start(look = {}) {
  const engine = ENGINES[name];
  if (!engine) throw new Error(`there is no engine ${name}; there are ${Object.keys(ENGINES).join(", ")}`);
  const program = process.env.ENGINE_PROGRAM ?? engine.program;
  return engine.start({ program, dark: false, contrast: false, ...look });
}
