// Stands for the watch until its module is there, which no payer has to wait for, and keeps for it what
// happened before. It knows the facts about an error itself, since the error's event tells them at once.

import { diagnose, quietly } from '../shared/diagnosis.js';
import { METHODS } from './names.js';

/** @typedef {import('./exchange.js').Exchange} Exchange */
/** @typedef {import('./watch.js').Watch} Watch */

/** The facts that no payment goes on after. */
const GRAVE = ['explain', 'failed'];

/** The watch over one element. */
export class LateWatch {
  #element;
  #attributes;
  /** @type {Watch | undefined} */
  #watch;
  /** What happened so far, as calls of the watch; `undefined` when it cannot be had. @type {[keyof Watch, any[]][] | undefined} */
  #before = [];
  #asked = false;
  /** The last exchange. @type {Exchange | undefined} */
  #last;

  /** @param {any} element @param {string[]} attributes those that it knows */
  constructor(element, attributes) {
    this.#element = element;
    this.#attributes = attributes;
  }

  /** Fetches the module, once. */
  async load() {
    if (this.#asked) return;
    this.#asked = true;
    try {
      const { Watch } = await import('./watch.js');
      this.#watch = new Watch(this.#element, this.#attributes);
      for (const [name, facts] of this.#before ?? []) this.#call(name, facts);
    } catch (reason) {
      diagnose('info', () => ['payment-checkout: could not load the module that notices mistakes', reason]);
    }
    this.#before = undefined;
  }

  /**
   * Tells the watch what happened. It comes at once for a page that wants each step, or where something failed.
   * @template {keyof Watch} Name
   * @param {Name} name
   * @param {Parameters<Watch[Name]>} facts
   */
  tell(name, ...facts) {
    if (this.#watch) return this.#call(name, facts);
    this.#before?.push([name, facts]);
    if (this.#element.debug || GRAVE.includes(name)) void this.load();
  }

  /** @param {keyof Watch} name @param {any[]} facts */
  #call(name, facts) {
    quietly(() => /** @type {any} */ (this.#watch)[name](...facts));
  }

  /** @param {Exchange} exchange */
  heard(exchange) {
    this.#last = exchange;
    this.tell('heard', exchange);
  }

  /**
   * The facts about an error that its event carries: of the request that failed.
   * @param {string} code
   * @param {Record<string, any>} options
   * @param {unknown} [reason] why the wasm does not run
   */
  factsOf(code, options, reason) {
    const asked = !['configuration', 'load', 'crash'].includes(code);
    const wrong = code === 'configuration' && wrongOf(options);
    const { method, url, response, problem } = (asked && this.#last) || /** @type {Partial<Exchange>} */ ({});
    const end = response ? `answered ${response.status}` : 'was not answered';
    const request = url && `${method} ${withoutQuery(url)} ${end}`;
    return {
      message: `${code}: ${request ?? reason ?? (wrong || 'the console has the reason')}`,
      status: response?.status ?? null,
      problem: problem ?? null,
      requestId: response?.headers.get('x-request-id') ?? null,
    };
  }
}

/** The settings that no payment can begin with. @param {Record<string, any>} options */
function wrongOf({ baseUrl, amount, methods, request }) {
  const wrong = [
    !baseUrl && 'base-url',
    amount && !/^\d+$/.test(amount) && 'amount',
    methods && !METHODS.some((method) => methods.split(/\s+/).includes(method)) && 'methods',
    request && typeof request !== 'object' && 'request',
  ];
  return wrong.filter(Boolean).join(', ');
}

/** A query may hold a secret of the page. @param {string} url */
const withoutQuery = (url) => url.split(/[?#]/)[0];
