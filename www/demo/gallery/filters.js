// What the gallery shows, as its address says it. The look of a shop's own is the custom properties of docs/theming.md, applied and
// written out.

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

export const THEMES = ['light', 'dark'];
export const WIDTHS = ['320', '360', '480', '768'];

/**
 * @typedef {object} Choice
 * @property {string[]} screens their names; none for all of them
 * @property {string} locale
 * @property {string} theme
 * @property {string[]} widths in CSS pixels, side by side
 * @property {string} unusual the unusual data that the screens show
 * @property {boolean} phone whether the screens are drawn as on a phone
 * @property {Record<Picker, string>} look
 */

/**
 * Reads the address; missing parts have their defaults.
 *
 * @param {URLSearchParams} query
 * @param {{ screens: string[], unusual: string[], locales: string[] }} there what there is
 * @returns {{ choice: Choice, wrong: string[] }} and what is wrong with it, in sentences
 */
export function choose(query, there) {
  /** @type {string[]} */
  const wrong = [];
  const known = (/** @type {string} */ name, /** @type {string[]} */ values) =>
    query.getAll(name).filter((value) => {
      const is = values.includes(value);
      if (value && !is) wrong.push(`There is no ${name} “${value}”. There are: ${values.join(', ')}.`);
      return is;
    });
  const pick = (/** @type {string} */ name, /** @type {string[]} */ values, fallback = values[0]) =>
    known(name, values)[0] ?? fallback;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const widths = known('width', WIDTHS);
  const accent = query.get('accent') ?? '';
  const choice = {
    screens: known('screen', there.screens),
    locale: pick('locale', there.locales),
    theme: pick('theme', THEMES, dark ? 'dark' : 'light'),
    widths: widths.length > 0 ? widths : ['360'],
    unusual: pick('unusual', there.unusual),
    phone: query.has('phone'),
    look: {
      accent: /^#[\da-f]{6}$/i.test(accent) ? accent : '',
      radius: pick('radius', RADII),
      font: pick('font', FONTS),
    },
  };
  return { choice, wrong };
}

/** The address of a choice; what is as by default is left out. @param {Choice} choice */
export function address({ screens, locale, theme, widths, unusual, phone, look }) {
  const query = new URLSearchParams(screens.map((screen) => ['screen', screen]));
  query.set('locale', locale);
  query.set('theme', theme);
  for (const width of widths) query.append('width', width);
  if (unusual !== 'none') query.set('unusual', unusual);
  if (phone) query.set('phone', '1');
  for (const [name, value] of Object.entries(look)) if (value) query.set(name, value);
  return `?${query}`;
}
