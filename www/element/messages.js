// Puts the texts of a page in the place of ours. The element loads this module on pages that have such texts.

import { diagnose } from '../shared/diagnosis.js';
import keys from './text-keys.js';

/** The place of each text in the list of all, and the places for values in it, by its key. */
const TEXTS = new Map(
  keys.map((entry, at) => {
    const [key, ...values] = entry.split(' ');
    return [key, { at, values }];
  }),
);

/** The mistakes that were told, each once. @type {Set<string>} */
const told = new Set();

/**
 * The texts of a language with those of the page.
 * @param {object} own @param {string[]} [texts]
 * @returns {(string | [string] | undefined)[]}
 */
export function placed(own, texts = []) {
  /** @type {(string | [string] | undefined)[]} */
  const all = [...texts];
  for (const [key, wording] of entries(own)) {
    if (typeof wording !== 'string') continue;
    mistakes(key, wording).forEach(tell);
    const text = TEXTS.get(key);
    if (text) all[text.at] = [wording];
  }
  return all;
}

/** An object of the page may do anything when it is read. @param {object} own */
function entries(own) {
  try {
    const plain = JSON.parse(JSON.stringify(own));
    return typeof plain === 'object' ? Object.entries(plain ?? {}) : [];
  } catch {
    return [];
  }
}

/** @param {string} mistake */
function tell(mistake) {
  if (told.has(mistake)) return;
  told.add(mistake);
  diagnose('warn', () => [`payment-checkout: messages: ${mistake}`]);
}

/** @param {string} key @param {string} wording @returns {string[]} */
function mistakes(key, wording) {
  const text = TEXTS.get(key);
  if (!text) {
    const near = nearest(key);
    return [`there is no text named ${key}${near ? `; the nearest is ${near}` : ''}`];
  }
  const values = wording.split('{').slice(1).flatMap((after) => (after.includes('}') ? [after.split('}')[0]] : []));
  return [
    ...values.filter((name) => !text.values.includes(name)).map((name) => `${key} has no value for {${name}}`),
    ...text.values.filter((name) => !values.includes(name)).map((name) => `${key} leaves out {${name}}`),
  ];
}

/** The key that begins most like this one; two letters are "qr". @param {string} key */
function nearest(key) {
  const alike = (/** @type {string} */ known) => [...known].findIndex((letter, at) => letter !== key[at]);
  const length = (/** @type {string} */ known) => (key.startsWith(known) ? known.length : alike(known));
  const known = [...TEXTS.keys()].reduce((best, other) => (length(other) >= length(best) ? other : best));
  return length(known) >= 2 ? known : undefined;
}
