// A lint of the style sheets for the oldest browsers that the elements are for: what is newer than they are stands
// in `@supports` of that very expression, behind an older value, or below with its reason. A condition of `@media`
// cannot stand below; it has its reason beside it.
//
//   stylelint --config npm/tools/stylelint.config.mjs "www/**/*.css"

import { year } from "./baseline.mjs";

/** Every value of a property. */
const ANY = ["/./"];

/** All browsers of the baseline have these, though they are younger than its year. Versions: Chrome, Safari, Firefox. */
const IN_THE_BASELINE = {
  atRules: [],
  properties: {
    "accent-color": ANY, // 93, 15.4, 92
    appearance: ANY, // 84, 15.4, 80
    "color-scheme": ANY, // 81, 13, 96
    outline: ["none", "solid"], // since ever; round corners of it came later
    overflow: ["clip"], // 90, 16, 81
    "overflow-wrap": ["anywhere"], // 80, 15.4, 65
  },
  selectors: [
    "backdrop", // 37, 15.4, 47
    "focus-visible", // 86, 15.4, 85
  ],
  units: [],
};

/** Without these a page is less fine and no less right. */
const REFINEMENTS = {
  atRules: [],
  properties: {
    // A tint in place of none.
    "forced-color-adjust": ANY,
    // Rows that are not looked at are laid out all the same.
    "content-visibility": ANY,
    "contain-intrinsic-size": ANY,
    // The next family of the list.
    "font-family": ["ui-monospace"],
    // Without `text-wrap` older browsers use normal line breaking.
    "text-wrap": ANY,
    // The prefix stands before it, for Safari.
    "text-size-adjust": ANY,
    "user-select": ANY,
  },
  selectors: [
    // The height of the row of a heading, in columns narrower than any phone.
    "has",
  ],
  units: [],
};

/** What stands before these, or without them, is right by itself. */
const WITH_A_FALL_BACK = {
  // The sheets are written for the narrowest card; a container only widens them.
  atRules: ["container"],
  properties: { "container-type": ANY },
  selectors: [],
  // The same property stands before them in another unit.
  units: ["cqi", "dvh"],
};

const exceptions = [IN_THE_BASELINE, REFINEMENTS, WITH_A_FALL_BACK];

export default {
  plugins: ["stylelint-plugin-use-baseline"],
  reportDescriptionlessDisables: true,
  reportNeedlessDisables: true,
  rules: {
    "plugin/use-baseline": [
      true,
      {
        available: year("production"),
        ignoreAtRules: exceptions.flatMap(({ atRules }) => atRules),
        ignoreProperties: Object.assign({}, ...exceptions.map(({ properties }) => properties)),
        ignoreSelectors: exceptions.flatMap(({ selectors }) => selectors),
        ignoreUnits: exceptions.flatMap(({ units }) => units),
      },
    ],
  },
};
