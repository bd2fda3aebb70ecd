// Compares what a page loads with a release.

import { resolved } from './page.mjs';

/** @import { Files, Loaded } from './files.mjs' */

/**
 * @typedef {{ version: string, files: Record<string, string> }} Release
 * @typedef {'same' | 'different' | 'missing' | 'bundled' | 'other'} Verdict
 * @typedef {{ verdict: Verdict, file: Loaded, name?: string, reason?: string }} Judged
 */

/** The files by which a page enters an element, each with the folder that it lies in. A page loads one of a folder. */
const ENTRIES = ['element/payment-checkout.js', 'element/element.js', 'operations/payment-operations.js', 'operations/operations.js'];

/** The names of entries that nothing else has, and those that other files may have. */
const NAMED = /\/payment-(checkout|operations)\.js$/;
const COMMON = /\/(element|operations)\.js$/;

/** What the entries have in them, whichever release: the wasm beside them, named by its content. */
const OWN = /new URL\("payment-(checkout|operations)-[0-9a-f]{10}\.wasm",\s*import\.meta\.url\)/;

/** What is left of it in a file that a bundler made. */
const LEFT = /payment-(?:checkout|operations)-[\w-]+\.wasm|["'`]payment-checkout:ready["'`]/;

const nameIn = (/** @type {string} */ path) => path.slice(path.indexOf('/') + 1);

/** @returns {Promise<Judged[]>} */
export async function judge(/** @type {Loaded[]} */ loaded, /** @type {Release} */ release, /** @type {Files} */ files) {
  const hashes = new Map(Object.entries(release.files).map(([name, hash]) => [hash, name]));
  /** @type {Map<string, Judged>} */
  const judged = new Map();
  const say = (/** @type {Judged} */ one) => judged.set(one.file.asked.href, one);
  const is = (/** @type {Loaded} */ file) => (file.status === 200 ? hashes.get(file.hash) : undefined);

  for (const file of loaded) {
    const folder = folderOf(file, is(file));
    if (folder) for (const one of await beside(file, folder, release, files)) say(one);
  }
  for (const file of loaded) {
    if (judged.has(file.asked.href)) continue;
    const name = is(file);
    if (name) say({ verdict: 'same', file, name });
    else if (file.status === 200 && isBundled(file, release)) say({ verdict: 'bundled', file });
    else if (file.status !== 404) say({ verdict: 'other', file, reason: unread(file) ?? (file.url.pathname.endsWith('.wasm') ? 'not of this release' : undefined) });
  }
  return [...judged.values()];
}

/** The folder of the release whose entry this file is, by its content or its name. */
function folderOf(/** @type {Loaded} */ { url, text, status }, /** @type {string | undefined} */ name) {
  if (name && ENTRIES.includes(name)) return name.split('/')[0];
  if (status !== 200) return undefined;
  // Whoever replaces a file leaves its name.
  const [, element] = NAMED.exec(url.pathname) ?? (COMMON.test(url.pathname) ? OWN.exec(text) : null) ?? [];
  return element && (element === 'checkout' ? 'element' : 'operations');
}

/** The entry itself, and all files that lie beside it: some are loaded only when a payer needs them. */
async function beside(/** @type {Loaded} */ entry, /** @type {string} */ folder, /** @type {Release} */ release, /** @type {Files} */ files) {
  const own = nameIn(entry.url.pathname.slice(entry.url.pathname.lastIndexOf('/')));
  const entries = ENTRIES.filter((name) => name.startsWith(`${folder}/`));
  const entryName = entries.find((name) => release.files[name] === entry.hash) ?? entries.find((name) => nameIn(name) === own) ?? entries[0];
  /** @type {Judged[]} */
  const found = [compared(entry, entryName, release)];
  const names = Object.keys(release.files).filter((name) => name.startsWith(`${folder}/`) && !entries.includes(name));
  for (const name of names) {
    const url = resolved(nameIn(name), entry.url);
    if (url) found.push(compared(await files.load(url), name, release));
  }
  return found;
}

/** @returns {Judged} */
function compared(/** @type {Loaded} */ file, /** @type {string} */ name, /** @type {Release} */ release) {
  if (file.status !== 200) return { verdict: 'missing', file, name, reason: unread(file) };
  if (release.files[name] === file.hash) return { verdict: 'same', file, name };
  const [, version] = /static version="([^"]+)"/.exec(file.text) ?? [];
  const isOlder = version !== undefined && version !== release.version;
  return { verdict: 'different', file, name, reason: isOlder ? `it says that it is of release ${version}` : undefined };
}

function isBundled(/** @type {Loaded} */ { text, type }, /** @type {Release} */ { files }) {
  if (!/javascript|ecmascript/.test(type)) return false;
  const wasm = Object.entries(files).filter(([name]) => name.endsWith('.wasm'));
  return LEFT.test(text) || wasm.some(([, hash]) => text.includes(hash));
}

const unread = (/** @type {Loaded} */ { status, reason }) => (status === 200 ? undefined : status ? `the server answers ${status}` : `no answer: ${reason}`);
