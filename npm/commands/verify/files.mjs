// Downloads what a page loads: the files that it names, and those that their modules name.

import { createHash } from 'node:crypto';
import { read, resolve, resolved } from './page.mjs';

/** @import { Page } from './page.mjs' */

/**
 * @typedef {object} Loaded
 * @property {URL} url where it is, after redirects
 * @property {URL} asked the address that was named
 * @property {number} status 0 where there is no answer
 * @property {string} reason why there is no answer
 * @property {string} hash as `integrity` has it
 * @property {string} text
 * @property {string | undefined} pinned the `integrity` that the page demands
 * @property {string} type
 */

/** More than a page of a shop has. */
const MOST_FILES = 500;
const TIMEOUT = 30_000;

export class Files {
  /** @type {Map<string, Promise<Loaded>>} */
  #asked = new Map();
  /** What the page demands of a file, by its address. @type {Record<string, string | undefined>} */
  #pins = {};
  #headers;
  #origin = '';

  constructor(/** @type {Record<string, string>} */ headers) {
    this.#headers = headers;
  }

  /** The page and its address after redirects. @returns {Promise<{ page: Page, loaded: Loaded }>} */
  async page(/** @type {URL} */ address) {
    this.#origin = address.origin;
    const loaded = await this.load(address);
    const page = read(loaded.text, loaded.url);
    this.#pins = page.pins;
    return { page, loaded };
  }

  /** A file, once. */
  load(/** @type {URL} */ address) {
    const known = this.#asked.get(address.href);
    if (known) return known;
    const loading = this.#download(address, this.#pins[address.href]);
    this.#asked.set(address.href, loading);
    return loading;
  }

  /** Everything that the page's scripts lead to, in the order in which it was found. */
  async all(/** @type {Page} */ page, /** @type {URL[]} */ more) {
    /** @type {Map<string, Loaded>} */
    const found = new Map();
    const inline = page.inline.flatMap((text) => page.bases.flatMap((base) => named(text, base, page)));
    let next = [...page.scripts, ...inline, ...more];
    while (next.length > 0) {
      const loaded = await Promise.all(next.map((url) => this.load(url)));
      next = [];
      for (const file of loaded) {
        if (found.has(file.asked.href)) continue;
        found.set(file.asked.href, file);
        if (/javascript|ecmascript/.test(file.type)) next.push(...named(file.text, file.url, page));
      }
      next = next.filter((url, at) => !found.has(url.href) && next.findIndex(({ href }) => href === url.href) === at);
      if (found.size + next.length > MOST_FILES) {
        throw new Error(`The page leads to more than ${MOST_FILES} files, which is more than this command looks at.`);
      }
    }
    return [...found.values()];
  }

  /** @returns {Promise<Loaded>} */
  async #download(/** @type {URL} */ address, /** @type {string | undefined} */ pinned) {
    const none = { url: address, asked: address, hash: '', text: '', pinned, type: '' };
    try {
      const headers = address.origin === this.#origin ? this.#headers : {};
      const answer = await fetch(address, { headers, cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT) });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const hash = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
      const type = answer.headers.get('content-type') ?? '';
      return { ...none, url: new URL(answer.url), status: answer.status, reason: '', hash, text: bytes.toString('utf8'), type };
    } catch (error) {
      const { cause, message } = /** @type {Error & { cause?: Error }} */ (error);
      return { ...none, status: 0, reason: cause?.message || message };
    }
  }
}

/** The modules that a module imports by a name that stands in it, and the wasm. */
function named(/** @type {string} */ text, /** @type {URL} */ from, /** @type {Page} */ page) {
  const modules = [...text.matchAll(/\b(?:from|import)\s*\(?\s*(["'`])([^"'`\n$]+)\1/g)].flatMap(([, , name]) => resolve(name, from, page));
  const binaries = [...text.matchAll(/["'`]([^"'`\n$]+\.wasm)(?:\?[^"'`\n$]*)?["'`]/g)].map(([, name]) => resolved(name, from));
  return [...modules, ...binaries].filter((url) => url !== undefined);
}
