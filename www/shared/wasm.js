// A wasm: fetched and compiled once a page, however many elements there are.

import { diagnose } from './diagnosis.js';

/**
 * The exports of wasm-bindgen's glue for an element, and the address of its wasm.
 * @typedef {object} Glue
 * @property {{ url: string | URL, integrity: string }} binary
 * @property {(source: { module_or_path: Promise<Response> }) => Promise<unknown>} init
 * @property {(root: Element, host: object, options: object) => Mounted} mount
 * @property {(report: (place: string) => void) => void} onPanic
 */

/**
 * An element's content in a page, with more methods that only its own element knows.
 * @typedef {{ update(options: object): void, unmount(): void, [more: string]: any }} Mounted
 */

/**
 * True when loading again cannot help: the browser has no WebAssembly, or the policy has no
 * `'wasm-unsafe-eval'`.
 * @param {unknown} reason why it was not loaded
 */
export const isUnable = (reason) =>
  // Some browsers throw the last of them under such a policy.
  !globalThis.WebAssembly || reason instanceof WebAssembly.CompileError || reason instanceof EvalError;

/** The wasm of one kind of element. */
export class Wasm {
  /** The element's name in the console. @type {string} */
  name;
  /** @type {Glue} */
  #glue;
  /** @type {Promise<Glue['mount']> | undefined} */
  #loading;
  #stopped = false;
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
  }

  /** Takes it from another address; nothing but the very same bytes will run. @param {string | URL} url */
  hostedAt(url) {
    if (this.#loading) {
      const from = this.#url;
      diagnose('warn', () => [`${this.name}: it is too late to say where the wasm is: it is being loaded from`, from]);
    }
    this.#url = url;
  }

  /** True when the wasm has stopped. It stops for every element of the page and never runs again. */
  get stopped() {
    return this.#stopped;
  }

  /**
   * Loads it. A load that failed is tried again by the next call.
   * @returns {Promise<Glue['mount']>} what draws into an element
   */
  load() {
    return (this.#loading ??= this.#start());
  }

  async #start() {
    const { init, binary } = this.#glue;
    try {
      // The browser checks the integrity. After a failure its cache may hold the wrong bytes.
      const cache = this.#failed ? 'reload' : 'default';
      await init({ module_or_path: fetch(this.#url, { integrity: binary.integrity, cache }) });
    } catch (reason) {
      this.#loading = undefined;
      this.#failed = true;
      throw reason;
    }
    this.#glue.onPanic((place) => {
      this.#stopped = true;
      diagnose('error', () => [`${this.name}: stopped at ${place}`]);
      // The function that panicked is still on the stack. The listeners must run after it has left
      // the stack.
      queueMicrotask(() => {
        for (const listener of this.#listeners) listener();
      });
    });
    return this.#glue.mount;
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
