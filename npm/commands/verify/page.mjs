// What a page names: its scripts, the files that it preloads, its import map. This reads HTML as browsers tokenize it, without
// building a document, since only a few tags matter.

/**
 * @typedef {object} Page
 * @property {URL} base the address against which the page's addresses are resolved
 * @property {{ url: URL, integrity?: string }[]} scripts scripts and preloaded modules, in the page's order
 * @property {string[]} inline the texts of scripts that stand in the page
 * @property {{ imports: Record<string, string>, integrity: Record<string, string> }} map
 * @property {number} frames
 */

/** Elements whose content is text, whatever is in it. */
const TEXT = ['script', 'style', 'textarea', 'title', 'noscript', 'template', 'iframe', 'xmp', 'noembed', 'noframes'];

/** @returns {Page} */
export function read(/** @type {string} */ html, /** @type {URL} */ address) {
  /** @type {Page} */
  const page = { base: address, scripts: [], inline: [], map: { imports: {}, integrity: {} }, frames: 0 };
  const tags = [...tagsOf(html)];
  const base = tags.find(({ name, attributes }) => name === 'base' && attributes.href !== undefined);
  page.base = resolved(base?.attributes.href ?? '', address) ?? address;
  for (const { name, attributes, content } of tags) {
    const { src, href, integrity } = attributes;
    const type = (attributes.type ?? '').trim().toLowerCase();
    if (name === 'iframe' || name === 'frame') page.frames += 1;
    if (name === 'script' && type === 'importmap') merge(page, content);
    else if (name === 'script' && src !== undefined) add(page, src, integrity);
    else if (name === 'script' && isScript(type)) page.inline.push(content);
    else if (name === 'link' && href !== undefined && isLoaded(attributes)) add(page, href, integrity);
  }
  return page;
}

/** Where a specifier of a module leads, by the page's import map. */
export function resolve(/** @type {string} */ specifier, /** @type {URL} */ from, /** @type {Page} */ { map, base }) {
  if (/^(\.{0,2}\/|[a-z][\w+.-]*:)/i.test(specifier)) return resolved(specifier, from);
  const exact = map.imports[specifier];
  if (exact !== undefined) return resolved(exact, base);
  const folder = Object.keys(map.imports).filter((name) => name.endsWith('/') && specifier.startsWith(name)).sort((a, b) => b.length - a.length)[0];
  return folder === undefined ? undefined : resolved(map.imports[folder] + specifier.slice(folder.length), base);
}

/** An address for the web, or nothing. */
export function resolved(/** @type {string} */ href, /** @type {URL} */ base) {
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  url.hash = '';
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

const isScript = (/** @type {string} */ type) => ['', 'module', 'text/javascript', 'application/javascript'].includes(type);

function isLoaded(/** @type {Record<string, string>} */ { rel = '', as = '' }) {
  const words = rel.toLowerCase().split(/\s+/);
  return words.includes('modulepreload') || (words.includes('preload') && ['script', 'fetch'].includes(as.toLowerCase()));
}

function add(/** @type {Page} */ page, /** @type {string} */ href, /** @type {string | undefined} */ integrity) {
  const url = resolved(href.trim(), page.base);
  if (!url) return;
  const known = page.scripts.find((each) => each.url.href === url.href);
  if (known) known.integrity ??= integrity;
  else page.scripts.push({ url, integrity });
}

function merge(/** @type {Page} */ page, /** @type {string} */ text) {
  let map;
  try {
    map = JSON.parse(text);
  } catch {
    // A browser ignores a map that it cannot read, and so do we.
    return;
  }
  const scopes = Object.values(map?.scopes ?? {});
  Object.assign(page.map.imports, ...scopes, map?.imports ?? {});
  for (const target of Object.values(page.map.imports)) if (typeof target === 'string' && !target.endsWith('/')) add(page, target, undefined);
  for (const [target, hash] of Object.entries(map?.integrity ?? {})) {
    const url = resolved(target, page.base);
    if (url) page.map.integrity[url.href] = String(hash);
  }
}

/** The tags of a text, each with its attributes and, where its content is text, with that. */
function* tagsOf(/** @type {string} */ html) {
  const tag = /<!--[\s\S]*?(?:-->|$)|<([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi;
  for (let found = tag.exec(html); found; found = tag.exec(html)) {
    const name = found[1]?.toLowerCase();
    if (!name) continue;
    let content = '';
    if (TEXT.includes(name)) {
      const rest = html.slice(tag.lastIndex);
      const end = rest.search(new RegExp(`</${name}[\\s/>]`, 'i'));
      content = end < 0 ? rest : rest.slice(0, end);
      // What stands in a template or in `noscript` runs nowhere while scripts run.
      tag.lastIndex += content.length;
    }
    yield { name, attributes: attributesOf(found[2]), content };
  }
}

function attributesOf(/** @type {string} */ text) {
  /** @type {Record<string, string>} */
  const attributes = {};
  for (const [, name, double, single, bare] of text.matchAll(/([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)) {
    attributes[name.toLowerCase()] ??= (double ?? single ?? bare ?? '').replace(/&(?:amp|#38|#x26);/gi, '&');
  }
  return attributes;
}
