// A wasm: fetched and compiled once a page, however many elements there are.

import { diagnose } from './diagnosis.js';
import { guardedExports } from './guarded-exports.js';
import { measure } from './measure.js';

/** How long a download may take. The slowest phones need a third of it. */
const LIMIT_MS = 60_000;

/**
 * The exports of wasm-bindgen's glue for an element, and the address of its wasm.
 * @typedef {object} Glue
 * @property {{ url: string | URL, integrity: string }} binary
 * @property {(guard: (exports: WebAssembly.Exports) => WebAssembly.Exports) => void} guardWith
 * @property {(source: { module_or_path: Response }) => Promise<unknown>} init
 * @property {(root: Element, host: object, options: object) => Mounted} mount
 */

/**
 * An element's content in a page, with more methods that only its own element knows.
 * @typedef {{ update(options: object): void, unmount(): void, [more: string]: any }} Mounted
 */

/** The shortest wasm that there is. */
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/**
 * True when loading again cannot help: the browser has no WebAssembly, or the policy has no
 * `'wasm-unsafe-eval'`.
 * @param {unknown} reason why it was not loaded
 */
export const isUnable = (reason) =>
  // Some browsers throw the last of them under such a policy.
  !globalThis.WebAssembly || reason instanceof WebAssembly.CompileError || reason instanceof EvalError;

function probe() {
  try {
    new WebAssembly.Module(EMPTY);
    return {};
  } catch (refusal) {
    return { refusal };
  }
}

/** The server has no such file any more, or another one: the page is older than what it loads. */
export class Outdated extends Error {}

/** The wasm of one kind of element. */
export class Wasm {
  /** The element's name in the console. @type {string} */
  name;
  /** @type {Glue} */
  #glue;
  /** @type {Promise<Glue['mount']> | undefined} */
  #loading;
  /** The policy reports each refusal, so it is asked once. @type {{ refusal?: unknown } | undefined} */
  #probed;
  #stopped = false;
  /** True when an element waited for it, and when one waited in vain. */
  #awaited = false;
  #failed = false;
  /** The address of the wasm, for pages that host it elsewhere. @type {string | URL} */
  #url;
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /** @param {string} name @param {Glue} glue */
  constructor(name, glue) {
    this.name = name;
    this.#glue = glue;
    this.#url = glue.binary.url;
    measure(`${name}:module`);
  }

  /** Takes it from another address; nothing but the very same bytes will run. @param {string | URL} url */
  hostedAt(url) {
    if (this.#loading) {
      const from = this.#url;
      diagnose('warn', () => [`${this.name}: it is too late to say where the wasm is: it is being loaded from`, from]);
    }
    this.#url = url;
  }

  /** Its address. */
  get url() {
    return this.#url;
  }

  /** Why this browser, or a policy without `'wasm-unsafe-eval'`, refuses any wasm. @returns {unknown} */
  get refusal() {
    return (this.#probed ??= probe()).refusal;
  }

  /** The hash of its bytes, which no other build has. */
  get integrity() {
    return this.#glue.binary.integrity;
  }

  /** Why it stopped. @type {unknown} */
  stoppedBy;

  /** True when the wasm has stopped. It stops for every element of the page and never runs again. */
  get stopped() {
    return this.#stopped;
  }

  /**
   * Loads it for an element. A load that failed is tried again by the next call.
   * @returns {Promise<Glue['mount']>} what draws into an element
   */
  load() {
    this.#awaited = true;
    return this.begin();
  }

  /** Loads it before an element needs it. */
  begin() {
    this.#loading ??= this.#start();
    // The element that needs it tells of a failure; a page that only begins early has nothing to say.
    this.#loading.catch(() => {});
    return this.#loading;
  }

  async #start() {
    const { init, guardWith, mount } = this.#glue;
    const limit = new AbortController();
    const start = performance.now();
    const timer = setTimeout(() => limit.abort(), LIMIT_MS);
    guardWith((exports) => guardedExports(exports, (reason) => this.#stop(reason)));
    try {
      // Before anything is downloaded.
      if (this.refusal) throw this.refusal;
      await init({ module_or_path: await this.#fetch(limit.signal) });
    } catch (reason) {
      this.#loading = undefined;
      this.#failed = this.#awaited;
      throw reason;
    } finally {
      clearTimeout(timer);
    }
    measure(`${this.name}:wasm`, start);
    return mount;
  }

  /** The browser checks the integrity. @param {AbortSignal} signal */
  async #fetch(signal) {
    const { integrity } = this.#glue.binary;
    // After a failure the cache may hold the wrong bytes.
    const cache = this.#failed ? 'reload' : 'default';
    try {
      return await fetch(this.#url, { integrity, cache, signal });
    } catch (reason) {
      // A wrong answer and no answer look alike, so it asks once more for the answer alone.
      const status = await this.#statusThere(signal);
      if (status === 404 || status === 410) throw new Outdated(`the server answers ${status}`);
      if (this.#failed && status === 200) throw new Outdated('the file at this address is another one');
      throw reason;
    }
  }

  /** The status that the server answers at the address; 0 without an answer. @param {AbortSignal} signal */
  async #statusThere(signal) {
    try {
      return (await fetch(this.#url, { method: 'HEAD', cache: 'no-store', signal })).status;
    } catch {
      return 0;
    }
  }

  /** It stopped, by a panic or by whatever else left it in the middle. @param {unknown} reason */
  #stop(reason) {
    if (this.#stopped) return;
    this.#stopped = true;
    this.stoppedBy = reason;
    diagnose('error', () => [`${this.name}: stopped`, reason]);
    // The function that stopped may still be on the stack. The listeners must run after it has left.
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener();
    });
  }

  /**
   * Calls `listener` when it has stopped, which ends every element of the page.
   * @param {() => void} listener
   * @returns {() => void} takes the listener away
   */
  onStop(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
