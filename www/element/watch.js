// Watches for mistakes of the page and of its server. It only notices that something may be wrong: the
// module that finds out what it is, and logs it for the developer, is loaded then.

import { diagnose } from '../shared/diagnosis.js';
import { bodyOf, breach } from './exchange.js';
import { ENDED, EVENTS, HELP, METHODS, SLOTS, WAITING } from './names.js';

/** @typedef {import('./exchange.js').Exchange} Exchange */

/** Below this an answer was not held, in milliseconds. */
const AT_ONCE = 900;

/** Attributes that any element may have, and those of frameworks. */
const OTHERS = /^(class|id|style|slot|lang|dir|hidden|title|tabindex|part|role|inert|is|nonce|state|(on|data|aria|x|v|_).*|.*[:@].*)$/;

/** True when the module that explains cannot be had. */
let blocked = false;

/** The watch over one element. */
export class Watch {
  #element;
  #attributes;
  /** The last answer with a body, for an error that is found in it later. @type {Exchange | undefined} */
  #told;
  /** Whether an answer about a state was read, which a 304 may mean. An earlier operation is still asked about when a later one was begun. */
  #knowsState = false;
  /** The operation that the last event told. @type {Exchange['about']} */
  #operation;
  /** The last exchange. @type {Exchange | undefined} */
  #last;
  /** How often in a row the server said that it held a request, and did not. */
  #early = 0;
  #reached = false;

  /** @param {any} element @param {string[]} attributes those that it knows */
  constructor(element, attributes) {
    this.#element = element;
    this.#attributes = attributes;
  }

  /** @param {Exchange} exchange */
  async heard(exchange) {
    exchange.live = exchange.method === 'POST' && exchange.url === this.#element.getAttribute('live-url');
    // No error of the payment comes of it.
    if (!exchange.live) this.#last = exchange;
    try {
      const { debug } = this.#element;
      const { response, usable } = exchange;
      exchange.about = this.#operation;
      exchange.unasked = response?.status === 304 && !this.#knowsState;
      if (debug) this.explain('step', { name: 'request', detail: exchange });
      if (response && usable && ![204, 304].includes(response.status)) {
        this.#told = exchange;
        this.#knowsState ||= exchange.method === 'GET' || exchange.live;
      }
      // The payer's screen comes first.
      await new Promise((resolve) => setTimeout(resolve));
      if (debug || (await this.#isOdd(exchange))) this.explain('exchange', exchange);
      this.#reached ||= Boolean(response);
    } catch {
      // An answer that breaks off is not looked at.
    }
  }

  /** @param {Exchange} exchange */
  async #isOdd(exchange) {
    const { url, response, usable, took, problem, about, unasked } = exchange;
    // A connection that breaks is nothing to mend. A server that nobody ever reached may be.
    if (!response) return navigator.onLine && !this.#reached;
    if (!usable || unasked) return !(problem && response.status === 409);
    const { headers, status } = response;
    const held = /\bwait\b/.test(headers.get('preference-applied') ?? '');
    this.#early = held && took < AT_ONCE && status === 304 ? this.#early + 1 : 0;
    if (!headers.get('date') || this.#early > 2) return true;
    if (status === 304) return false;
    const text = (await bodyOf(exchange)) ?? '';
    // An address that names an operation is answered about that one.
    const asked = [about?.merchantOperationNumber, about?.transactionId].filter((name) => name && url.includes(name));
    if (text.includes('callback_url') || asked.some((name) => name && !text.includes(name))) return true;
    // A lifecycle names the earlier states, too.
    const ended = ENDED.some((state) => text.includes(`"${state}"`));
    return !ended && text.includes('"QR"') && !/"qr_image"\s*:\s*"data:/.test(text);
  }

  /** Looks at the tag and the properties. @param {Record<string, any>} options */
  configured(options) {
    const element = this.#element;
    const { methods = '', amount, currency, headingLevel } = options;
    const words = methods.split(/\s+/).filter(Boolean);
    const odd =
      new Set(words).size < words.length ||
      Boolean(options.merchantCode) !== Boolean(options.merchantOperationNumber) ||
      !HELP.test(options.helpUrl ?? '/') ||
      (options.messages && typeof options.messages !== 'object') ||
      words.some((/** @type {string} */ word) => !METHODS.includes(word)) ||
      !/^(es|en|pt)\b|^$/i.test(element.getAttribute('locale') ?? '') ||
      Boolean(amount) !== Boolean(currency) ||
      !/^([a-z]{3}|\d{3}|)$/i.test(currency ?? '') ||
      !/^([1-6]|)$/.test(headingLevel ?? '') ||
      element.getAttributeNames().some((/** @type {string} */ name) => !this.#attributes.includes(name) && !OTHERS.test(name)) ||
      [...element.children].some(({ slot }) => slot && !SLOTS.includes(slot)) ||
      Object.keys(element).some((name) => !/^[_$]/.test(name));
    if (odd) this.explain('configuration', options);
  }

  /** Looks at the name of an event that somebody listens for. @param {string} name */
  listened(name) {
    if (/^check/i.test(name) && !EVENTS.includes(name)) this.explain('event', name);
  }

  /** Explains an error that an event told. @param {string} code @param {Record<string, any>} options */
  failed(code, options) {
    if (code === 'configuration') this.explain('configuration', options);
    else if (/^(amount|qr|cont)/.test(code)) this.explain('error', { code, options, exchange: this.#told });
    else if (/^(network|server|refused|not)/.test(code)) this.explain('exchange', this.#last);
  }

  /** Hears an event, and tells it as a step if the page asked for that. @param {string} name @param {any} [detail] */
  step(name, detail) {
    if (detail?.merchantOperationNumber) this.#operation = detail;
    if (name === 'checkout-status' && ![...WAITING, ...ENDED].includes(detail.state)) this.explain('exchange', this.#told);
    if (this.#element.debug) this.explain('step', { name, detail });
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
    const last = (asked && this.#last) || /** @type {Partial<Exchange>} */ ({});
    const { method, url, response, problem } = last;
    const end = response ? `answered ${response.status}` : 'was not answered';
    const request = url && [`${method} ${withoutQuery(url)} ${end}`, breach(last)].filter(Boolean).join(': ');
    return {
      message: `${code}: ${request ?? reason ?? (wrong || 'the console has the reason')}`,
      status: response?.status ?? null,
      problem: problem ?? null,
      requestId: response?.headers.get('x-request-id') ?? null,
    };
  }

  /** @param {string} what @param {any} facts */
  explain(what, facts) {
    if (blocked) return;
    import('./diagnostics.js').then(
      (diagnostics) => diagnostics.explain(this.#element, what, facts),
      (reason) => {
        blocked = true;
        diagnose('info', () => ['payment-checkout: could not load the module that explains mistakes', reason]);
      },
    );
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
