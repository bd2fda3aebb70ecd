// The element's style sheet as a phone has it, on any computer: a copy of the sheet in which the media
// queries about a finger hold and those about a mouse do not. The sheet itself needs no second set of
// rules for that.

import { sheet } from '../../checkout-element/style.ts';

/** @type {CSSStyleSheet | undefined} */
let touch;

/** @param {CSSRuleList} rules */
function turn(rules) {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      const { mediaText } = rule.media;
      if (/pointer: coarse|hover: none/.test(mediaText)) rule.media.mediaText = 'all';
      else if (/pointer: fine|hover: hover/.test(mediaText)) rule.media.mediaText = 'not all';
    }
    if ('cssRules' in rule) turn(/** @type {CSSGroupingRule} */ (rule).cssRules);
  }
}

/**
 * Puts the sheet into a root, as this device has it or as a phone has it. A browser that cannot make
 * sheets has its own way alone.
 * @param {ShadowRoot} root
 * @param {boolean} phone
 */
export function wear(root, phone) {
  const own = sheet.made(root);
  if (!own) return;
  if (phone && !touch) {
    touch = new CSSStyleSheet();
    touch.replaceSync([...own.cssRules].map((rule) => rule.cssText).join('\n'));
    turn(touch.cssRules);
  }
  root.adoptedStyleSheets = [phone && touch ? touch : own];
}
