// Downloads what a page loads: the files that it names, and those that their modules name.

import { createHash } from 'node:crypto';
import { LARGEST_FILE_BYTES, MOST_FILES, TooMuchError } from './limits.mjs';
import { leads } from './maps.mjs';
import { isLoadable, read, resolved } from './page.mjs';
import { decoded } from './tags.mjs';

/** @import { Page, Pin } from './page.mjs' */

/**
 * @typedef {object} Loaded
 * @property {URL} url where it is, after redirects
 * @property {URL} asked the address that was named
 * @property {number} status 0 where there is no answer
 * @property {string} reason why there is no answer
 * @property {string} hash as `integrity` has it
 * @property {Buffer} bytes
 * @property {string} text
 * @property {boolean} pinned the page demands these bytes
 * @property {string | undefined} refusal why browsers do not run these bytes
 * @property {string} type
 * @property {string} policy the header Content-Security-Policy
 */

const MOST_REDIRECTS = 20;
const TIMEOUT = 30_000;

/** Whether a browser runs or applies a file that comes with this status. */
export const isUsed = (/** @type {number} */ status) => status >= 200 && status < 300;

export class Files {
  /** @type {Map<string, Promise<Loaded>>} */
  #asked = new Map();
  /** @type {Page['pins']} */
  #pins = new Map();
  #headers;
  #origin = '';

  constructor(/** @type {Record<string, string>} */ headers) {
    this.#headers = headers;
  }

  /** The page and its address after redirects. @returns {Promise<{ page: Page, loaded: Loaded }>} */
  async page(/** @type {URL} */ address) {
    this.#origin = address.origin;
    const loaded = await this.load(address);
    const page = read(decoded(loaded.bytes, loaded.type), loaded.url, loaded.policy);
    this.#pins = page.pins;
    return { page, loaded };
  }

  /** A file, once. */
  load(/** @type {URL} */ address) {
    const known = this.#asked.get(address.href);
    if (known) return known;
    const loading = this.#download(address, this.#pins.get(address.href) ?? []);
    this.#asked.set(address.href, loading);
    return loading;
  }

  /** Everything that the page's scripts lead to, in the order in which it was found. */
  async all(/** @type {Page} */ page, /** @type {URL[]} */ more) {
    /** @type {Map<string, Loaded>} */
    const found = new Map();
    const texts = page.inline.filter(({ kind }) => kind === 'script').map(({ text }) => text);
    const inline = texts.flatMap((text) => page.bases.flatMap((base) => named(text, base, page)));
    let next = [...page.scripts, ...inline, ...more];
    while (next.length > 0) {
      const loaded = await Promise.all(next.map((url) => this.load(url)));
      next = [];
      for (const file of loaded) {
        if (found.has(file.asked.href)) continue;
        found.set(file.asked.href, file);
        // Browsers run a script that is no module whatever type it comes as.
        if (!/wasm|html|css|json|^image|^font/.test(file.type)) next.push(...named(file.text, file.url, page));
      }
      next = next.filter((url, at) => !found.has(url.href) && next.findIndex(({ href }) => href === url.href) === at);
      if (found.size + next.length > MOST_FILES) {
        throw new TooMuchError(`The page leads to more than ${MOST_FILES} files`);
      }
    }
    return [...found.values()];
  }

  /** @returns {Promise<Loaded>} */
  async #download(/** @type {URL} */ address, /** @type {Pin[]} */ pins) {
    const none = { url: address, asked: address, hash: '', bytes: Buffer.alloc(0), text: '', pinned: false, refusal: undefined, type: '', policy: '' };
    try {
      const { url, answer } = await this.#follow(address);
      const bytes = await bytesOf(answer, url);
      const type = answer.headers.get('content-type') ?? '';
      const policy = answer.headers.get('content-security-policy') ?? '';
      const hash = isUsed(answer.status) ? `sha384-${createHash('sha384').update(bytes).digest('base64')}` : '';
      const refused = pins.find(({ integrity }) => fits(integrity, bytes) === false);
      const refusal = refused && `${refused.by} demands ${refused.integrity}`;
      const pinned = pins.some(({ integrity, isCertain }) => isCertain && fits(integrity, bytes));
      return { ...none, url, status: answer.status, reason: '', hash, bytes, text: bytes.toString('utf8'), pinned, refusal, type, policy };
    } catch (error) {
      if (error instanceof TooMuchError) throw error;
      const { cause, message } = /** @type {Error & { cause?: Error }} */ (error);
      return { ...none, status: 0, reason: cause?.message || message };
    }
  }

  /** The answer at the end of redirects. The headers are for the page's origin, and `fetch` would take them along to another. */
  async #follow(/** @type {URL} */ address) {
    const signal = AbortSignal.timeout(TIMEOUT);
    let url = address;
    for (let count = 0; count <= MOST_REDIRECTS; count += 1) {
      const headers = url.origin === this.#origin ? this.#headers : {};
      const answer = await fetch(url, { headers, cache: 'no-store', redirect: 'manual', signal });
      const to = [301, 302, 303, 307, 308].includes(answer.status) && answer.headers.get('location');
      if (!to) return { url, answer };
      await answer.body?.cancel();
      url = new URL(to, url);
      if (!/^https?:$/.test(url.protocol)) throw new Error(`it redirects to ${url.href}`);
    }
    throw new Error(`it redirects more than ${MOST_REDIRECTS} times`);
  }
}

/** The whole body. One that is too large is not read to its end. */
async function bytesOf(/** @type {Response} */ answer, /** @type {URL} */ url) {
  const parts = [];
  let length = 0;
  for await (const part of answer.body ?? []) {
    length += part.length;
    if (length > LARGEST_FILE_BYTES) throw new TooMuchError(`${url.href} is larger than ${LARGEST_FILE_BYTES / 1e6} MB`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Whether bytes are those of an `integrity`, of which browsers take the strongest hashes. Nothing where it demands nothing. */
function fits(/** @type {string} */ integrity, /** @type {Buffer} */ bytes) {
  const words = [...integrity.matchAll(/(?:^|\s)(sha(?:256|384|512))-([\w+/=-]+)/gi)];
  const hashes = words.map(([, algorithm, hash]) => ({ algorithm: algorithm.toLowerCase(), hash }));
  const strongest = hashes.map(({ algorithm }) => algorithm).sort().at(-1);
  if (!strongest) return undefined;
  const own = createHash(strongest).update(bytes).digest('base64');
  // Browsers also take the letters of base64url.
  return hashes.some(({ algorithm, hash }) => algorithm === strongest && hash.replaceAll('-', '+').replaceAll('_', '/') === own);
}

/** The modules that a module imports by a name that stands in it, and the wasm. */
function named(/** @type {string} */ text, /** @type {URL} */ from, /** @type {Page} */ { maps }) {
  const names = [...text.matchAll(/\b(?:from|import)\s*(?:\(\s*)?(["'`])([^"'`\n$]+)\1/g)].map(([, , name]) => name);
  const modules = names.flatMap((name) => leads(name, from, maps).addresses).filter(isLoadable);
  for (const url of modules) url.hash = '';
  // Each quote may open a text, also one that ends another.
  const texts = [...text.matchAll(/["'`]([^"'`\n$]+)(?=["'`])/g)];
  const binaries = texts.map(([, name]) => (name.endsWith('.wasm') ? name : name.slice(0, name.lastIndexOf('.wasm?') + 5)));
  const wasm = binaries.filter((name) => /.\.wasm$/.test(name)).map((name) => resolved(name, from));
  return [...modules, ...wasm].filter((url) => url !== undefined);
}
