// The list of the scripts of a page that a shop keeps.

import { inlineOf, printable, shown } from './report.mjs';

/** @import { Findings } from './report.mjs' */

/** Why a payment page loads each file. */
/** @type {[RegExp, string][]} */
const PURPOSES = [
  [/^element\/.*\.wasm$/, 'The checkout: shows each step of a payment and asks the shop\'s server for its state'],
  [/^element\/(payment-checkout|element)\.js$/, 'The checkout: registers its tag, loads its WebAssembly and checks the integrity of it'],
  [/^element\/save-and-print\.js$/, 'Saves, shares and prints the payment code and the receipt'],
  [/^element\/texts-.*\.js$/, 'The texts of the checkout in one language'],
  [/^element\/messages\.js$/, 'Puts the shop\'s own texts into the checkout'],
  [/\/diagnostics\.js$/, 'Tells developers in the console what is wrong with a page; loaded only then'],
  [/^operations\/.*\.wasm$/, 'The desk of the shop\'s staff: looks payments up, cancels and refunds them'],
  [/^operations\/.*\.js$/, 'The desk of the shop\'s staff: registers its tag, loads its WebAssembly and checks the integrity of it'],
  [/\.css$/, 'The style of the element, for browsers whose scripts cannot make style sheets'],
];

const purposeOf = (/** @type {string} */ name) => PURPOSES.find(([pattern]) => pattern.test(name))?.[1] ?? '';

/** The rows of an inventory of scripts as CSV: those of the element are filled in, and the others are yours to fill in. */
export function inventory(/** @type {Findings} */ { judged, page, release: { version }, came }) {
  const rows = judged.map(({ verdict, file, name }) => {
    const isOurs = verdict === 'same' && name;
    const authorized = isOurs ? `The same bytes as payment-checkout-element ${version}` : '';
    const pinned = file.pinned ? 'yes' : 'no';
    return [shown(file.url.href), isOurs ? purposeOf(name) : '', authorized, file.hash, pinned, verdict];
  });
  for (const { name, kind, hash, fault } of inlineOf(page.inline)) {
    const purpose = kind === 'import map' ? 'Says where modules are, and which bytes they have' : '';
    rows.push([`${came.href} (inline ${name})`, purpose, '', hash, 'no', fault ? 'broken' : 'inline']);
  }
  if (page.handlers > 0) rows.push([`${came.href} (attributes with code: ${page.handlers})`, '', '', '', 'no', 'inline']);
  const head = ['script', 'purpose', 'authorized by', 'integrity', 'pinned by the page', 'compared with the release'];
  return [head, ...rows].map((row) => row.map(quoted).join(',')).join('\r\n').concat('\r\n');
}

/** A cell that a spreadsheet takes for text: a foreign address must not become a formula. */
const quoted = (/** @type {string} */ cell) => `"${printable(/^[=+\-@\t]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
