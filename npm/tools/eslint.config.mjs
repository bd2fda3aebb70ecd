// A lint of the modules that ship, without their types, and of the files that the build makes of them, for the oldest
// browsers that meet them: no newer function, object or syntax. The types know what it does not see, methods of values: their
// `lib` is of the same year (`www/tsconfig.json`).
//
//   eslint --config npm/tools/eslint.config.mjs target/www-js target/element

import baseline from "eslint-plugin-baseline-js";
import { year } from "./baseline.mjs";

/** All browsers of the baseline have these, though they are younger than its year. Versions: Chrome, Safari, Firefox. */
const IN_THE_BASELINE = [
  "weak-references", // 84, 14.1, 79
  "web-audio", // 35, 14.1, 25
];

/** Each is asked for before it is used, or is ignored where it is not known. */
const WITH_A_FALL_BACK = [
  // `SharedStyleSheet` links to the sheet as a file.
  "constructed-stylesheets",
  // There is no button to share where the browser does not share.
  "share",
  // The screen turns off as always.
  "screen-wake-lock",
  // Options that only save memory and time.
  "canvas-2d-alpha",
  "canvas-2d-willreadfrequently",
  // The glue asks whether there is a `Symbol.dispose`.
  "explicit-resource-management",
];

export default [
  {
    files: ["**/*.js"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { "baseline-js": baseline },
    rules: {
      "baseline-js/use-baseline": [
        "error",
        {
          available: year("content"),
          ignoreFeatures: [...IN_THE_BASELINE, ...WITH_A_FALL_BACK],
          includeJsBuiltins: { preset: "auto" },
          includeWebApis: { preset: "auto" },
        },
      ],
    },
  },
];
