// Reads a page: the addresses of its scripts and preloads, its import maps, and its inline scripts.
//
// An address is resolved against every base that the text has, for the reason that `tags.mjs` gives.

import { createHash } from 'node:crypto';
import { MOST_BASES, MOST_FILES, TooMuchError } from './limits.mjs';
import { faulty, readMap } from './maps.mjs';
import { tagsOf } from './tags.mjs';

/** @import { ImportMap } from './maps.mjs' */

/**
 * @typedef {object} Inline a script or an import map within the page's HTML
 * @property {'script' | 'import map'} kind
 * @property {string} text
 * @property {string} hash by which a policy permits it
 * @property {string} [fault] why browsers ignore it
 *
 * @typedef {object} Pin
 * @property {string} integrity
 * @property {string} by what demands it
 * @property {boolean} isCertain every browser that knows such demands obeys this one
 *
 * @typedef {object} Page
 * @property {URL[]} bases
 * @property {URL[]} scripts scripts and preloaded modules, in the page's order, and where import maps lead
 * @property {Inline[]} inline
 * @property {number} handlers attributes that are code
 * @property {Map<string, Pin[]>} pins what the page demands of a file, by its address
 * @property {ImportMap[]} maps
 * @property {string[]} remarks
 */

/** What runs, or says what runs; other types are data for scripts. */
const RUNS = /^(?:|module|importmap|.*(?:java|ecma|j|live)script.*)$/;

const FRAMES = ['iframe', 'frame', 'object', 'embed'];

/** Reads a page that came with a policy in its headers. @returns {Page} */
export function read(/** @type {string} */ html, /** @type {URL} */ address, /** @type {string} */ policy) {
  const tags = [...tagsOf(html)];
  const hrefs = tags.filter(({ name }) => name === 'base').map(({ attributes }) => attributes.href ?? '');
  const named = [address, ...hrefs.map((href) => resolved(href, address))].filter((url) => url !== undefined);
  const bases = [...new Map(named.map((url) => [url.href, url])).values()];
  if (bases.length > MOST_BASES) throw new TooMuchError(`The page has more than ${MOST_BASES} bases`);
  /** @type {Page} */
  const page = { bases, scripts: [], inline: [], handlers: 0, pins: new Map(), maps: [], remarks: [] };
  let hasModules = false;
  const policies = policy ? [policy] : [];
  for (const { name, attributes, content } of tags) {
    const { src, href, integrity, rel = '' } = attributes;
    const type = (attributes.type ?? '').trim().toLowerCase();
    // A script of SVG has `href`.
    const script = src ?? href ?? attributes['xlink:href'];
    const isPreload = name === 'link' && rel.toLowerCase().split(/\s+/).includes('modulepreload');
    page.handlers += Object.entries(attributes).filter(isCode).length;
    if (name === 'meta' && /^content-security-policy$/i.test(attributes['http-equiv'] ?? '')) policies.push(attributes.content ?? '');
    if (name === 'script' && type === 'importmap') {
      const isPermitted = permits(policies, written(content), attributes.nonce);
      addMap(page, content, { isFile: script !== undefined, isLate: hasModules, isPermitted });
    } else if (name === 'script' && script !== undefined) add(page, script, integrity);
    else if (name === 'script' && RUNS.test(type)) page.inline.push({ kind: 'script', text: content, hash: expressionOf(content) });
    else if (isPreload && href !== undefined) add(page, href, integrity);
    // Browsers fetch such a file again if the integrity of its line is wrong.
    else if (name === 'link' && href !== undefined && isLoaded(attributes)) add(page, href, undefined);
    hasModules ||= isPreload || (name === 'script' && type === 'module');
  }
  if (tags.some(({ name }) => FRAMES.includes(name))) {
    page.remarks.push('The page has frames. What a frame loads is not in this list: give its address to this command, too.');
  }
  return page;
}

/** An address that a script can come from, or nothing. */
export function resolved(/** @type {string} */ href, /** @type {URL} */ base) {
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  url.hash = '';
  return isLoadable(url) ? url : undefined;
}

export const isLoadable = (/** @type {URL} */ { protocol }) => /^(?:https?|data):$/.test(protocol);

/** The source expression by which a policy permits a script that stands in the page. */
export function expressionOf(/** @type {string} */ text) {
  return `sha256-${createHash('sha256').update(written(text)).digest('base64')}`;
}

/** The text of a script as browsers read it. */
const written = (/** @type {string} */ text) => text.replace(/\r\n?/g, '\n');

function isLoaded(/** @type {Record<string, string>} */ { rel = '', as = '' }) {
  return rel.toLowerCase().split(/\s+/).includes('preload') && ['script', 'fetch'].includes(as.toLowerCase());
}

/** An attribute such as `onclick`, or an address that is code. */
const isCode = (/** @type {[string, string]} */ [name, value]) => /^on[a-z]+$/.test(name) || /^javascript:/i.test(value.replace(/[\0- ]/g, ''));

function add(/** @type {Page} */ page, /** @type {string} */ href, /** @type {string | undefined} */ integrity) {
  for (const base of page.bases) {
    const url = resolved(href.trim(), base);
    if (!url) continue;
    if (integrity) pin(page, url.href, { integrity, by: 'the tag', isCertain: true });
    addScript(page, url);
  }
}

function addScript(/** @type {Page} */ page, /** @type {URL} */ url) {
  if (!page.scripts.some((known) => known.href === url.href)) page.scripts.push(url);
  if (page.scripts.length > MOST_FILES) throw new TooMuchError(`The page names more than ${MOST_FILES} files`);
}

function pin(/** @type {Page} */ page, /** @type {string} */ address, /** @type {Pin} */ one) {
  const pins = page.pins.get(address) ?? [];
  pins.push(one);
  page.pins.set(address, pins);
}

function addMap(
  /** @type {Page} */ page,
  /** @type {string} */ text,
  /** @type {{ isFile: boolean, isLate: boolean, isPermitted: boolean }} */ { isFile, isLate, isPermitted },
) {
  const isSecond = page.maps.length > 0;
  const maps = page.bases.map((base) => {
    if (isFile) return faulty('browsers read no import map from a file');
    return isPermitted ? readMap(text, base) : faulty('the script-src of the page\'s policy does not have this hash');
  });
  page.inline.push({ kind: 'import map', text, hash: expressionOf(text), fault: maps[0].fault });
  if (isSecond) page.remarks.push('The page has more than one import map. Some browsers obey only the first.');
  if (isLate) {
    page.remarks.push('An import map comes after a module or a modulepreload. Browsers ignore it, or its hash of what they load already: put it first.');
  }
  for (const map of maps) {
    page.maps.push(map);
    for (const [, target] of map.rules.flat()) {
      if (target && !target.href.endsWith('/') && isLoadable(target)) addScript(page, target);
    }
    for (const [address, integrity] of map.pins) pin(page, address, { integrity, by: 'the import map', isCertain: !isSecond && !isLate });
  }
}

/** Whether each of the policies (https://www.w3.org/TR/CSP3/) lets an inline script run. A header may have several, with commas between. */
function permits(/** @type {string[]} */ policies, /** @type {string} */ text, /** @type {string | undefined} */ nonce) {
  return policies.flatMap((header) => header.split(',')).every((policy) => {
    const directives = new Map();
    for (const directive of policy.split(';')) {
      const [name, ...sources] = directive.trim().split(/\s+/);
      // Of a directive that comes twice the first one counts.
      if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
    }
    /** @type {string[] | undefined} */
    const sources = directives.get('script-src-elem') ?? directives.get('script-src') ?? directives.get('default-src');
    if (!sources) return true;
    const isStrict = sources.some((source) => /^'(?:nonce-|sha(?:256|384|512)-|strict-dynamic')/i.test(source));
    if (!isStrict && sources.some((source) => source.toLowerCase() === "'unsafe-inline'")) return true;
    if (nonce && sources.includes(`'nonce-${nonce}'`)) return true;
    return sources.some((source) => isHashOf(source, text));
  });
}

function isHashOf(/** @type {string} */ source, /** @type {string} */ text) {
  const [, algorithm, hash] = /^'(sha(?:256|384|512))-([\w+/=-]+)'$/i.exec(source) ?? [];
  return algorithm !== undefined && createHash(algorithm).update(text).digest('base64') === hash.replaceAll('-', '+').replaceAll('_', '/');
}
