// Texts of the page, which replace those of the element. The element loads this module on pages that have such texts.

import { diagnose } from '../shared/diagnosis.ts';
import keys from './printed/text-keys.ts';

/** The index of each text in the list of all texts, and the names of its values, by its key. */
const TEXTS = new Map(
  keys.map((entry, index) => {
    const [key, ...values] = entry.split(' ');
    return [key, { index, values }];
  }),
);

/** What the page says about the language of its texts, beside them. */
const LANGUAGE = ['locale', 'dir'];

/** The mistakes that were reported, each once. */
const reported = new Set<string>();

/** The texts of the page, each at its place in the list of all texts. */
export function overrides(own: object): (string | undefined)[] {
  const all: (string | undefined)[] = [];
  for (const [key, wording] of entries(own)) {
    if (typeof wording !== 'string' || LANGUAGE.includes(key)) continue;
    mistakes(key, wording).forEach(report);
    const text = TEXTS.get(key);
    if (text) all[text.index] = wording;
  }
  return all;
}

/** The entries of an object of the page, which may run any code when it is read. */
function entries(own: object): [string, unknown][] {
  try {
    const plain = JSON.parse(JSON.stringify(own));
    return typeof plain === 'object' ? Object.entries(plain ?? {}) : [];
  } catch {
    return [];
  }
}

function report(mistake: string) {
  if (reported.has(mistake)) return;
  reported.add(mistake);
  diagnose('warn', () => [`payment-checkout: messages: ${mistake}`]);
}

function mistakes(key: string, wording: string): string[] {
  const text = TEXTS.get(key);
  if (!text) {
    const near = nearest(key);
    return [`there is no text named ${key}${near ? `; the nearest is ${near}` : ''}`];
  }
  const values = wording
    .split('{')
    .slice(1)
    .flatMap((after) => (after.includes('}') ? [after.split('}')[0]] : []));
  return [
    ...values.filter((name) => !text.values.includes(name)).map((name) => `${key} has no value for {${name}}`),
    ...text.values.filter((name) => !values.includes(name)).map((name) => `${key} leaves out {${name}}`),
  ];
}

/** The key that has the longest beginning in common with this one: at least two letters, as in "qr". */
function nearest(key: string) {
  const alike = (known: string) => [...known].findIndex((letter, at) => letter !== key[at]);
  const length = (known: string) => (key.startsWith(known) ? known.length : alike(known));
  const known = [...TEXTS.keys()].reduce((best, other) => (length(other) >= length(best) ? other : best));
  return length(known) >= 2 ? known : undefined;
}
