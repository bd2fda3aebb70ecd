// The tags of a page's text, as far as this command needs them.
//
// Every tag counts that stands anywhere in the text, also in a comment or in the text of a script: where browsers see a tag
// depends on much, and a script that is hidden from this command would be worse than one too many.

import { MOST_OF_TAGS, TooMuchError } from './limits.mjs';

/** What an attribute costs, in characters that are looked at. */
const ATTRIBUTE_COST = 100;

/** @typedef {{ name: string, attributes: Record<string, string>, content: string }} Tag */

/** The characters of ASCII that have names in HTML: an address may be written with them. */
/** @type {Record<string, string>} */
const NAMED = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", Tab: '\t', NewLine: '\n', excl: '!', num: '#', dollar: '$', percnt: '%', lpar: '(',
  rpar: ')', ast: '*', plus: '+', comma: ',', period: '.', sol: '/', colon: ':', semi: ';', equals: '=', quest: '?', commat: '@',
  lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', Hat: '^', lowbar: '_', UnderBar: '_', grave: '`', lcub: '{', lbrace: '{',
  verbar: '|', vert: '|', VerticalLine: '|', rcub: '}', rbrace: '}',
};

/** The text of a page as browsers decode it. */
export function decoded(/** @type {Buffer} */ bytes, /** @type {string} */ type) {
  const mark = { fffe: 'utf-16le', feff: 'utf-16be', efbb: 'utf-8' }[bytes.toString('hex', 0, 2)];
  const meta = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(bytes.toString('latin1', 0, 1024))?.[1];
  const inPage = meta?.toLowerCase().startsWith('utf-16') ? 'utf-8' : meta;
  for (const name of [mark, /charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1], inPage]) {
    try {
      if (name) return new TextDecoder(name).decode(bytes);
    } catch {
      // Browsers pass over the name of an encoding that does not exist.
    }
  }
  return new TextDecoder().decode(bytes);
}

/** The tags of a text, each with its attributes, and a script with its text. @returns {Generator<Tag>} */
export function* tagsOf(/** @type {string} */ html) {
  let looked = 0;
  for (const found of html.matchAll(/<([a-z][^\s/>]*)/gi)) {
    const name = found[1].toLowerCase();
    const from = found.index + found[0].length;
    if (from === html.length) return;
    const { attributes, count, end } = attributesOf(html, from);
    const rest = name === 'script' ? html.slice(end) : '';
    const close = rest.search(/<\/script[\s/>]/i);
    const content = close < 0 ? rest : rest.slice(0, close);
    looked += end - from + content.length + count * ATTRIBUTE_COST;
    if (looked > MOST_OF_TAGS) throw new TooMuchError('The page has tags within tags');
    yield { name, attributes, content };
  }
}

/** The attributes from a place in a text on, how many there are, and where their tag ends. A quote opens a value only after `=`. */
function attributesOf(/** @type {string} */ html, /** @type {number} */ from) {
  const attribute = /[\s/]*([^\s>/][^\s>/=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
  /** @type {Record<string, string>} */
  const attributes = {};
  let count = 0;
  let end = from;
  attribute.lastIndex = from;
  for (let found = attribute.exec(html); found; found = attribute.exec(html)) {
    const [, name, double, single, bare] = found;
    attributes[name.toLowerCase()] ??= characters(double ?? single ?? bare ?? '');
    count += 1;
    end = attribute.lastIndex;
  }
  const close = html.indexOf('>', end);
  return { attributes, count, end: close < 0 ? html.length : close + 1 };
}

/** A value of an attribute with its character references replaced. */
function characters(/** @type {string} */ value) {
  return value.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));?/gi, (all, hex, decimal, name) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    if (name) return NAMED[name] ?? (/^(?:amp|lt|gt|quot)$/i.test(name) ? NAMED[name.toLowerCase()] : all);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
