// The release for a page and for the shop's list of scripts: an import map that pins every file, and the rows of an inventory.

/** @import { Judged, Release } from './judge.mjs' */

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

/** An import map for a page that serves the folder `element` of the release at this address. */
export function importMap(/** @type {Release} */ { files }, /** @type {string} */ at) {
  const folder = at.endsWith('/') ? at : `${at}/`;
  const modules = Object.entries(files).filter(([name]) => /^element\/.*\.js$/.test(name));
  const integrity = Object.fromEntries(modules.map(([name, hash]) => [name.replace('element/', () => folder), hash]));
  const imports = { 'payment-checkout-element': `${folder}payment-checkout.js`, 'payment-checkout-element/element': `${folder}element.js` };
  return `<script type="importmap">\n${JSON.stringify({ imports, integrity }, null, 2)}\n</script>\n`;
}

/** The rows of an inventory of scripts as CSV: those of the element are filled in, and the others are yours to fill in. */
export function inventory(/** @type {Judged[]} */ judged, /** @type {Release} */ { version }) {
  const rows = judged.map(({ verdict, file, name }) => {
    const isOurs = verdict === 'same' && name;
    const authorized = isOurs ? `The same bytes as payment-checkout-element ${version}` : '';
    const pinned = file.pinned ? 'yes' : 'no';
    return [file.url.href, isOurs ? purposeOf(name) : '', authorized, file.hash, pinned, verdict];
  });
  const head = ['script', 'purpose', 'authorized by', 'integrity', 'pinned by the page', 'compared with the release'];
  return [head, ...rows].map((row) => row.map(quoted).join(',')).join('\r\n').concat('\r\n');
}

/** A cell that a spreadsheet takes for text: a foreign address must not become a formula. */
const quoted = (/** @type {string} */ cell) => `"${(/^[=+\-@\t]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
