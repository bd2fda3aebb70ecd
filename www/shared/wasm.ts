// A wasm, which a page fetches and compiles once for all of its elements.

import { diagnose } from './diagnosis.ts';
import { type Guards, guards } from './guards.ts';
import { measure } from './measure.ts';
import { isPrerendering, shown } from './prerendering.ts';
import { later, sinceLoad, soon } from './waiting.ts';

/** How long the download may take. The slowest phones need a third of it. */
const LOAD_TIMEOUT_MS = 60_000;

/** How often an instance that stopped is replaced within this time. */
const MOST_RESTARTS = 3;
const RESTARTS_WITHIN_MS = 5 * 60_000;

/** The exports of wasm-bindgen's glue for an element, and the address of its wasm. */
export interface Glue<M extends Mounted> {
  binary: { url: string | URL; integrity: string };
  /** Sets what makes the guards of each instance. */
  guardWith: (make: () => Guards) => void;
  /** Makes the first instance. */
  instantiate: (module: WebAssembly.Module) => Promise<unknown>;
  /** Makes a fresh instance of the same compiled module, and returns what puts it in the place of the last one. */
  makeAnother: () => Promise<() => void>;
  mount: Mount<M>;
}

/** Draws the content of an element into `root`. The wasm calls methods of `host`. */
export type Mount<M extends Mounted> = (root: Element, host: object, options: object) => M;

/** The content of an element in a page. */
export interface Mounted {
  update(options: object): void;
  unmount(): void;
}

/** The shortest valid wasm. */
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** True when loading again cannot help: the browser has no WebAssembly, or the policy has no `'wasm-unsafe-eval'`. */
export const isUnable = (reason: unknown) =>
  // Under such a policy some browsers throw an `EvalError`.
  !globalThis.WebAssembly || reason instanceof WebAssembly.CompileError || reason instanceof EvalError;

function probe() {
  try {
    new WebAssembly.Module(EMPTY);
    return {};
  } catch (refusal) {
    return { refusal };
  }
}

/** The server has no such file any more, or another file: the page is older than what it loads. */
export class OutdatedError extends Error {}

/** The wasm of one kind of element. */
export class Wasm<M extends Mounted> {
  /** The element's name in the console. */
  name: string;
  #glue: Glue<M>;
  #loading: Promise<Mount<M>> | undefined;
  /** The result of `probe`, which runs once, because the policy reports each refusal. */
  #probed: { refusal?: unknown } | undefined;
  #state: 'runs' | 'restarts' | 'stopped' = 'runs';
  /** When instances were replaced, as milliseconds since the page began to load. */
  #restarts: number[] = [];
  /** True once an element needs the wasm. */
  #awaited = false;
  /** True once a load failed that an element needed. */
  #failed = false;
  /** The address of the wasm, for pages that host it elsewhere. */
  #url: string | URL;
  #listeners = new Set<(again: Mount<M> | undefined) => void>();

  constructor(name: string, glue: Glue<M>) {
    this.name = name;
    this.#glue = glue;
    this.#url = glue.binary.url;
    measure(`${name}:module`);
  }

  /** Sets another address. The bytes there have to be the same. */
  hostedAt(url: string | URL) {
    if (this.#loading) {
      const from = this.#url;
      diagnose('warn', () => [`${this.name}: the wasm's address came too late; loading from`, from]);
    }
    this.#url = url;
  }

  get url() {
    return this.#url;
  }

  /** Why this browser, or a policy without `'wasm-unsafe-eval'`, refuses any wasm. */
  get refusal(): unknown {
    return (this.#probed ??= probe()).refusal;
  }

  /** The hash of its bytes, which no other build has. */
  get integrity() {
    return this.#glue.binary.integrity;
  }

  /** Why it stopped. */
  stoppedBy: unknown;

  /** False while an exception has left it in the middle, for every element of the page. */
  get runs() {
    return this.#state === 'runs';
  }

  /** True when it has stopped for good. */
  get stopped() {
    return this.#state === 'stopped';
  }

  /** Loads it for an element, which may use it once the page is shown. After a load that failed the next call tries again. */
  async load(): Promise<Mount<M>> {
    if (isPrerendering()) {
      const early = this.begin();
      await shown();
      // What fails in advance is loaded again.
      await early.catch(() => {});
    }
    this.#awaited = true;
    return this.begin();
  }

  /** Loads it before an element needs it. */
  begin(): Promise<Mount<M>> {
    this.#loading ??= this.#start();
    // The element that needs the wasm reports a failure.
    this.#loading.catch(() => {});
    return this.#loading;
  }

  async #start() {
    const { instantiate, guardWith, mount } = this.#glue;
    const limit = new AbortController();
    const start = sinceLoad();
    const timer = later(() => limit.abort(), LOAD_TIMEOUT_MS);
    guardWith(() => guards(this.name, (reason) => this.#stop(reason)));
    try {
      // Nothing is downloaded for a browser that cannot run it.
      if (this.refusal) throw this.refusal;
      await instantiate(await compiled(await this.#fetch(limit.signal)));
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

  /** The browser checks the integrity. */
  async #fetch(signal: AbortSignal) {
    const { integrity } = this.#glue.binary;
    // After a failure the cache may hold the wrong bytes.
    const cache = this.#failed ? 'reload' : 'default';
    try {
      return await fetch(this.#url, { integrity, cache, signal });
    } catch (reason) {
      // `fetch` reports wrong bytes and a broken connection in one way, so the status is asked for.
      const status = await this.#askStatus(signal);
      if (status === 404 || status === 410) throw new OutdatedError(`the server answers ${status}`);
      if (this.#failed && status === 200) throw new OutdatedError('the file at this address is another one');
      throw reason;
    }
  }

  /** The status of the server's answer; 0 without an answer. */
  async #askStatus(signal: AbortSignal) {
    try {
      return (await fetch(this.#url, { method: 'HEAD', cache: 'no-store', signal })).status;
    } catch {
      return 0;
    }
  }

  /**
   * A panic, or another exception, left the wasm in the middle. A fresh instance takes its place, as after a reload of the
   * page, but not again and again.
   */
  #stop(reason: unknown) {
    if (!this.runs) return;
    this.#state = 'restarts';
    this.stoppedBy = reason;
    diagnose('error', () => [`${this.name}: stopped`, reason]);
    // The function that stopped may still be on the stack. The rest must run after it has left.
    soon(async () => {
      const replace = await this.#anotherInstance();
      // Nothing may run between: what was mounted before belongs to the last instance.
      replace?.();
      this.#state = replace ? 'runs' : 'stopped';
      for (const listener of [...this.#listeners]) listener(replace && this.#glue.mount);
    });
  }

  async #anotherInstance() {
    const now = sinceLoad();
    this.#restarts = this.#restarts.filter((at) => now - at < RESTARTS_WITHIN_MS);
    if (this.#restarts.length >= MOST_RESTARTS) return undefined;
    this.#restarts.push(now);
    try {
      return await this.#glue.makeAnother();
    } catch (reason) {
      diagnose('error', () => [`${this.name}: could not start again`, reason]);
      return undefined;
    }
  }

  /**
   * Calls `listener` when the wasm has stopped, for every element of the page: with what mounts into a fresh instance, or
   * with nothing if it stopped for good. The returned function removes the listener.
   */
  onStop(listener: (again: Mount<M> | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The module in an answer. The browser knows its own answers, also in a page that replaced `Response`. */
async function compiled(answer: Response) {
  try {
    return await WebAssembly.compileStreaming(answer);
  } catch (reason) {
    if (!answer.ok || isUnable(reason)) throw reason;
  }
  // The server gives the file another type, or the page put an object of its own in place of the answer.
  return WebAssembly.compile(await answer.arrayBuffer());
}
