// Compares what a page loads with a release.

import { isUsed } from './files.mjs';
import { leads } from './maps.mjs';
import { isLoadable, resolved } from './page.mjs';

/** @import { Files, Loaded } from './files.mjs' */
/** @import { Page } from './page.mjs' */

/**
 * @typedef {{ version: string, files: Record<string, string> }} Release
 * @typedef {'same' | 'different' | 'missing' | 'refused' | 'bundled' | 'other'} Verdict
 * @typedef {{ verdict: Verdict, file: Loaded, name?: string, reason?: string }} Judged
 * @typedef {{ page: Page, more: URL[], release: Release, files: Files }} Ground
 */

/** The files by which a page enters an element, each with its name in imports. A page loads one of a folder. */
/** @type {Record<string, string>} */
const IMPORTED = {
  'payment-checkout-element': 'element/payment-checkout.js',
  'payment-checkout-element/element': 'element/element.js',
  'payment-checkout-element/operations': 'operations/payment-operations.js',
  'payment-checkout-element/operations/element': 'operations/operations.js',
};
const ENTRIES = Object.values(IMPORTED);

/** The names of entries that nothing else has, and those that other files may have. */
const NAMED = /\/payment-(checkout|operations)\.js$/;
const COMMON = /\/(element|operations)\.js$/;

/** What the entries have in them, whichever release: the wasm beside them, named by its content. */
const OWN = /new URL\("payment-(checkout|operations)-[0-9a-f]{10}\.wasm",\s*import\.meta\.url\)/;

/** What is left of it in a file that a bundler made. */
const LEFT = /payment-(?:checkout|operations)-[\w-]{1,100}\.wasm|["'`]payment-checkout:ready["'`]/;

const nameIn = (/** @type {string} */ path) => path.slice(path.indexOf('/') + 1);
const isScript = (/** @type {Loaded} */ { type }) => /javascript|ecmascript/.test(type);

/** @returns {Promise<Judged[]>} */
export async function judge(/** @type {Loaded[]} */ loaded, /** @type {Ground} */ ground) {
  const { page, more, release, files } = ground;
  // What a script seems to import may be a text in it; a tag means its address.
  const tagged = new Set([...page.scripts, ...more].map(({ href }) => href));
  const hashes = new Map(Object.entries(release.files).map(([name, hash]) => [hash, name]));
  /** @type {Map<string, Judged>} */
  const judged = new Map();
  const say = (/** @type {Judged} */ one) => {
    const before = judged.get(one.file.asked.href);
    // A file may stand for two of the release's, and be right for one of them.
    if (!before || before.verdict === 'same') judged.set(one.file.asked.href, one);
  };
  const is = (/** @type {Loaded} */ file) => (isUsed(file.status) ? hashes.get(file.hash) : undefined);

  for (const file of loaded) {
    const folder = folderOf(file, is(file));
    if (folder) for (const one of await beside(file, folder, ground)) say(one);
  }
  for (const [specifier, name] of Object.entries(IMPORTED)) {
    for (const address of leads(specifier, page.bases[0], page.maps).addresses.filter(isLoadable)) {
      const file = await files.load(address);
      const way = `an import map leads ${specifier} here`;
      if (ENTRIES.includes(is(file) ?? '')) continue;
      say(isBundled(file, release) ? { verdict: 'bundled', file, reason: way } : compared(file, name, release, way));
    }
  }
  const rest = loaded.filter(({ asked }) => !judged.has(asked.href));
  const bundles = rest.filter((file) => !is(file) && isBundled(file, release));
  for (const file of rest) {
    const name = is(file);
    if (name) say(compared(file, name, release));
    else if (bundles.includes(file)) say({ verdict: 'bundled', file });
    else if (isChunk(file, bundles, release)) say({ verdict: 'bundled', file, reason: 'a part of the element, by its name' });
    else if (file.status !== 404 || tagged.has(file.asked.href)) say({ verdict: 'other', file, reason: otherwise(file) });
  }
  return [...judged.values()];
}

/** The folder of the release whose entry this file is, by its content or its name. */
function folderOf(/** @type {Loaded} */ { url, text, status }, /** @type {string | undefined} */ name) {
  if (name && ENTRIES.includes(name)) return name.split('/')[0];
  if (!isUsed(status)) return undefined;
  // Whoever replaces a file leaves its name.
  const [, element] = NAMED.exec(url.pathname) ?? (COMMON.test(url.pathname) ? OWN.exec(text) : null) ?? [];
  return element && (element === 'checkout' ? 'element' : 'operations');
}

/**
 * The entry itself, and all files that lie beside it: some are loaded only when a payer needs them. Where import maps lead the
 * address of one of them elsewhere, the file there has to be the same.
 */
async function beside(/** @type {Loaded} */ entry, /** @type {string} */ folder, /** @type {Ground} */ { page, release, files }) {
  const own = nameIn(entry.url.pathname.slice(entry.url.pathname.lastIndexOf('/')));
  const entries = ENTRIES.filter((name) => name.startsWith(`${folder}/`));
  const entryName = entries.find((name) => release.files[name] === entry.hash) ?? entries.find((name) => nameIn(name) === own) ?? entries[0];
  const names = Object.keys(release.files).filter((name) => name.startsWith(`${folder}/`) && !entries.includes(name));
  const places = names.map((name) => ({ name, address: resolved(nameIn(name), entry.url) }));
  /** @type {Judged[]} */
  const found = [];
  for (const { name, address } of [{ name: entryName, address: entry.asked }, ...places]) {
    if (!address) continue;
    const file = await files.load(address);
    const { addresses, isBlocked } = name.endsWith('.js') ? leads(address.href, address, page.maps) : { addresses: [], isBlocked: false };
    const one = compared(file, name, release);
    found.push(isBlocked && one.verdict === 'same' ? { ...one, verdict: 'refused', reason: 'an import map blocks it' } : one);
    for (const other of addresses.filter(({ href }) => href !== address.href)) {
      found.push(compared(await files.load(other), name, release, `an import map leads ${address.pathname} here`));
    }
  }
  return found;
}

/** @returns {Judged} */
function compared(/** @type {Loaded} */ file, /** @type {string} */ name, /** @type {Release} */ release, /** @type {string} */ way = '') {
  const because = (/** @type {string | undefined} */ reason) => [way, reason].filter(Boolean).join(', ') || undefined;
  if (!isUsed(file.status)) return { verdict: 'missing', file, name, reason: because(unread(file)) };
  if (release.files[name] === file.hash) {
    const isDead = name.endsWith('.js') && !isScript(file);
    const refusal = file.refusal ?? (isDead ? `it comes as ${file.type || 'no type'}, which is no type of a script` : undefined);
    return refusal ? { verdict: 'refused', file, name, reason: because(refusal) } : { verdict: 'same', file, name };
  }
  const [, version] = /static version="([^"]+)"/.exec(file.text) ?? [];
  const isOlder = version !== undefined && version !== release.version;
  return { verdict: 'different', file, name, reason: because(isOlder ? `it says that it is of release ${version}` : file.refusal) };
}

function isBundled(/** @type {Loaded} */ file, /** @type {Release} */ { files }) {
  if (!isUsed(file.status) || !isScript(file)) return false;
  const wasm = Object.entries(files).filter(([name]) => name.endsWith('.wasm'));
  return LEFT.test(file.text) || wasm.some(([, hash]) => file.text.includes(hash));
}

/** Whether a bundle names this file, and the file has the name of one of the release with something after it. */
function isChunk(/** @type {Loaded} */ { url, status }, /** @type {Loaded[]} */ bundles, /** @type {Release} */ { files }) {
  const own = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  const names = Object.keys(files).map((name) => /\/([^/]+)\.(js|css)$/.exec(name)).filter((name) => name !== null);
  const isNamed = names.some(([, stem, ending]) => own.startsWith(stem) && /^[-.]/.test(own.slice(stem.length)) && own.endsWith(`.${ending}`));
  return isUsed(status) && isNamed && bundles.some(({ text }) => text.includes(own));
}

const unread = (/** @type {Loaded} */ { status, reason }) => (isUsed(status) ? undefined : status ? `the server answers ${status}` : `no answer: ${reason}`);

const otherwise = (/** @type {Loaded} */ file) =>
  unread(file) ?? file.refusal ?? (file.url.pathname.endsWith('.wasm') ? 'not of this release' : undefined);
