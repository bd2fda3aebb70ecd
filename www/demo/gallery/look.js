// The look of a shop's own: the custom properties of docs/theming.md, applied and written out.

export const FONTS = ['', 'Georgia, serif', 'ui-rounded, "Nunito", sans-serif', 'ui-monospace, monospace', 'inherit'];
export const RADII = ['', '0', '6px', '14px', '24px'];

/** The properties with a picker each, by its name in the form and in the address. */
const PROPERTIES = { accent: '--checkout-accent', radius: '--checkout-radius', font: '--checkout-font' };

/** @typedef {keyof typeof PROPERTIES} Picker */

export const PICKERS = /** @type {Picker[]} */ (Object.keys(PROPERTIES));

/** @param {Record<Picker, string>} look empty for the element's own */
export function wearLook(look) {
  for (const name of PICKERS) document.documentElement.style.setProperty(PROPERTIES[name], look[name]);
}

/** The rule to copy. @param {Record<Picker, string>} look */
export function written(look) {
  const lines = PICKERS.filter((name) => look[name]).map((name) => `  ${PROPERTIES[name]}: ${look[name]};`);
  return lines.length > 0 ? `payment-checkout {\n${lines.join('\n')}\n}` : '';
}
