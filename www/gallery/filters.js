// The choice of screens in the gallery, read from its address.

export const THEMES = ['light', 'dark'];
export const WIDTHS = ['320', '360', '480', '768'];

/**
 * @typedef {object} Choice
 * @property {string[]} screens their names; none for all of them
 * @property {string} locale
 * @property {string} theme
 * @property {string} width in CSS pixels
 * @property {string} unusual the unusual data that the screens show
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
  const choice = {
    screens: known('screen', there.screens),
    locale: pick('locale', there.locales),
    theme: pick('theme', THEMES, dark ? 'dark' : 'light'),
    width: pick('width', WIDTHS, '360'),
    unusual: pick('unusual', there.unusual),
  };
  return { choice, wrong };
}
