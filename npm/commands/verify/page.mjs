// What a page names: its scripts, the files that it preloads, its import maps.
//
// This takes every tag that stands anywhere in the text, also in a comment or in the text of a script: where browsers see a
// tag depends on much, and a script that is hidden from this command would be worse than one too many. For the same reason an
// address is resolved against every base that the text has.

/**
 * @typedef {object} Page
 * @property {URL[]} bases
 * @property {URL[]} scripts scripts and preloaded modules, in the page's order
 * @property {string[]} inline the texts of scripts that stand in the page
 * @property {Record<string, string>} pins the `integrity` that the page demands of an address
 * @property {[prefix: string, target: string][]} folders the beginnings of names in its import maps
 * @property {boolean} hasFrames
 */

/** @returns {Page} */
export function read(/** @type {string} */ html, /** @type {URL} */ address) {
  const tags = [...tagsOf(html)];
  const hrefs = tags.filter(({ name }) => name === 'base').map(({ attributes }) => attributes.href ?? '');
  const bases = [address, ...hrefs.map((href) => resolved(href, address))].filter((url) => url !== undefined);
  /** @type {Page} */
  const page = { bases, scripts: [], inline: [], pins: {}, folders: [], hasFrames: false };
  for (const { name, attributes, content } of tags) {
    const { src, href, integrity, type = '' } = attributes;
    // A script of SVG has `href`.
    const script = src ?? href ?? attributes['xlink:href'];
    if (name === 'iframe' || name === 'frame') page.hasFrames = true;
    if (name === 'script' && type.trim().toLowerCase() === 'importmap') merge(page, content);
    else if (name === 'script' && script !== undefined) add(page, script, integrity);
    else if (name === 'script') page.inline.push(content);
    else if (name === 'link' && href !== undefined && isLoaded(attributes)) add(page, href, integrity);
  }
  return page;
}

/** Where a name in a module leads. Whole names of an import map lead to addresses that are among the page's scripts. */
export function resolve(/** @type {string} */ specifier, /** @type {URL} */ from, /** @type {Page} */ { folders, bases }) {
  if (/^(\.{0,2}\/|[a-z][\w+.-]*:)/i.test(specifier)) return [resolved(specifier, from)].filter((url) => url !== undefined);
  const targets = folders.filter(([prefix]) => specifier.startsWith(prefix)).map(([prefix, target]) => target + specifier.slice(prefix.length));
  return targets.flatMap((target) => bases.map((base) => resolved(target, base))).filter((url) => url !== undefined);
}

/** An address for the web, or nothing. */
export function resolved(/** @type {string} */ href, /** @type {URL} */ base) {
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  url.hash = '';
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

function isLoaded(/** @type {Record<string, string>} */ { rel = '', as = '' }) {
  const words = rel.toLowerCase().split(/\s+/);
  return words.includes('modulepreload') || (words.includes('preload') && ['script', 'fetch'].includes(as.toLowerCase()));
}

function add(/** @type {Page} */ page, /** @type {string} */ href, /** @type {string | undefined} */ integrity) {
  for (const base of page.bases) {
    const url = resolved(href.trim(), base);
    if (!url) continue;
    if (integrity) page.pins[url.href] = integrity;
    if (!page.scripts.some((known) => known.href === url.href)) page.scripts.push(url);
  }
}

function merge(/** @type {Page} */ page, /** @type {string} */ text) {
  let map;
  try {
    map = JSON.parse(text);
  } catch {
    // A browser ignores a map that it cannot read.
    return;
  }
  const entries = [map?.imports, ...Object.values(map?.scopes ?? {})].flatMap((imports) => Object.entries(imports ?? {}));
  for (const [name, target] of entries) {
    if (typeof target !== 'string') continue;
    if (name.endsWith('/')) page.folders.push([name, target]);
    else add(page, target, undefined);
  }
  for (const [target, hash] of Object.entries(map?.integrity ?? {})) {
    for (const base of page.bases) {
      const url = resolved(target, base);
      if (url) page.pins[url.href] = String(hash);
    }
  }
}

/** The tags of a text, each with its attributes, and a script with its text. */
function* tagsOf(/** @type {string} */ html) {
  for (const found of html.matchAll(/<(script|link|base|iframe|frame)(?=[\s/>])/gi)) {
    const name = found[1].toLowerCase();
    const { attributes, end } = attributesOf(html, found.index + found[0].length);
    const rest = name === 'script' ? html.slice(end) : '';
    const close = rest.search(/<\/script[\s/>]/i);
    yield { name, attributes, content: close < 0 ? rest : rest.slice(0, close) };
  }
}

/** The attributes from a place in a text on, and where their tag ends. A quote opens a value only after `=`. */
function attributesOf(/** @type {string} */ html, /** @type {number} */ from) {
  const attribute = /[\s/]*([^\s>/][^\s>/=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
  /** @type {Record<string, string>} */
  const attributes = {};
  let end = from;
  attribute.lastIndex = from;
  for (let found = attribute.exec(html); found; found = attribute.exec(html)) {
    const [, name, double, single, bare] = found;
    attributes[name.toLowerCase()] ??= (double ?? single ?? bare ?? '').replace(/&(?:amp|#38|#x26);/gi, '&');
    end = attribute.lastIndex;
  }
  const close = html.indexOf('>', end);
  return { attributes, end: close < 0 ? html.length : close + 1 };
}
