// The oldest browsers that the elements are for, as `browserslist` in `package.json` names them:
// `production` where a payer pays, `content` where the page's own content stands in the element's place.

import { getCompatibleVersions } from "baseline-browser-mapping";
import browserslist from "browserslist";

/** @typedef {"production" | "content"} Baseline */

/** The browsers of a baseline, as in `safari 16.0`; of `ios_saf 15.0-15.1` the first. @param {Baseline} env */
export const browsers = (env) =>
  browserslist(undefined, { env, path: import.meta.dirname }).map((browser) => browser.replace(/-.*/, ""));

/** The names of browsers that differ from one list to the other. */
const NAMES = new Map([["ios_saf", "safari_ios"]]);

/**
 * The last year whose features every browser of a baseline has, as far as they are in all browsers
 * ("Baseline"): the lints know features by their years.
 * @param {Baseline} env
 */
export function year(env) {
  const oldest = browsers(env).map((each) => each.split(" "));
  const covers = (/** @type {number} */ year) =>
    getCompatibleVersions({ targetYear: year, suppressWarnings: true }).every(({ browser, version }) =>
      oldest.every(([name, has]) => (NAMES.get(name) ?? name) !== browser || Number(has) >= Number(version)),
    );
  let last = new Date().getFullYear();
  while (!covers(last)) last -= 1;
  return last;
}
