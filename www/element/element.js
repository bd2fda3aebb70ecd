// The custom element. Importing this module registers nothing; see `define`.

import { complain } from './configuration.js';
import { Life, propertyOf, reflect, register, upgrade } from './life.js';
import { localeOf } from './locale.js';
import init, { binary, mount, onPanic } from './payment-checkout-wasm.js';
import { sheet } from './style.js';
import { FAILURES } from './texts.js';
import { Wasm } from './wasm.js';

const WASM = new Wasm('payment-checkout', { binary, init, mount: /** @type {any} */ (mount), onPanic });

/** What a payer takes along, once it is loaded. @type {typeof import('./keep.js') | undefined} */
let keep;

/** Whether this browser hands pictures to other apps. */
const shares = () => Boolean(navigator.canShare?.({ files: [new File([''], 'qr.png', { type: 'image/png' })] }));

const ATTRIBUTES = [
  'amount',
  'authorize-url',
  'base-url',
  'cancel-url',
  'currency',
  'locale',
  'merchant-code',
  'merchant-name',
  'merchant-operation-number',
  'methods',
  'order-label',
  'payee-name',
  'redirect-hosts',
  'redirect-url',
  'status-url',
  'transaction-id',
];

// On a server there is nothing to extend; the class can be imported all the same.
const Base = globalThis.HTMLElement ?? class {};

/**
 * Takes a payment through the merchant's own server.
 *
 * Its content is what a page shows until the element works, and where it cannot.
 *
 * @fires checkout-ready - the element works
 * @fires checkout-pending - an operation waits for the payer
 * @fires checkout-redirect - the payer is about to be led to another site; cancelable
 * @fires checkout-status - the server said another state
 * @fires checkout-result - the server said how it ended; once an operation and outcome
 * @fires checkout-error - something is wrong
 */
export class PaymentCheckout extends Base {
  static observedAttributes = ATTRIBUTES;

  #life = new Life(this, {
    wasm: WASM,
    sheet,
    texts: FAILURES,
    border: () => ({
      tell: (/** @type {string} */ name, /** @type {any} */ detail) => this.#tell(name, detail),
      showState: (/** @type {string} */ state) => this.#show(state),
    }),
    options: () => this.#options(),
    left: () => void (this.#state = 'loading'),
    failed: (code, retryable) => {
      this.#state = 'failed';
      this.#tell('checkout-error', { code, retryable });
    },
  });
  /** @type {Set<string>} */
  #mistakes = new Set();
  #state = 'loading';
  /** @type {object | undefined} */
  #request;
  /** @type {Record<string, string> | undefined} */
  #messages;
  /** @type {((result: object) => void) | undefined} */
  #settle;
  /** @type {Promise<object>} */
  #final = this.#nextFinal();

  constructor() {
    super();
    // Before the wasm hears the press, and prints.
    this.shadowRoot?.addEventListener('click', (event) => keep?.pressed(this, event), { capture: true });
    this.shadowRoot?.addEventListener('load', ({ target }) => keep?.loaded(target), { capture: true });
  }

  connectedCallback() {
    upgrade(this, [...ATTRIBUTES.map(propertyOf), 'request', 'messages']);
    this.#life.connect();
  }

  disconnectedCallback() {
    this.#life.disconnect();
  }

  attributeChangedCallback() {
    this.#life.changed();
  }

  /** The merchant's own fields of the authorize body, such as `{ order_id }`. */
  get request() {
    return this.#request;
  }

  set request(request) {
    this.#request = request;
    this.#life.changed();
  }

  /** Texts in place of the built-in ones, by key. */
  get messages() {
    return this.#messages;
  }

  set messages(messages) {
    this.#messages = messages;
    this.#life.changed();
  }

  /**
   * What the payer sees: `loading`, `choosing`, `authorizing`, `pending`, `checking`,
   * `overdue`, `cancelling`, an outcome, or `failed`.
   */
  get state() {
    return this.#state;
  }

  /** Asks the payer whether to cancel the operation that waits. */
  cancel() {
    this.#life.with((mounted) => mounted.cancel());
  }

  /** Tries again what failed, or asks for a new code. */
  retry() {
    if (this.#life.isMounted) this.#life.with((mounted) => mounted.retry());
    else this.#life.connect();
  }

  /** The detail of this checkout's first `checkout-result`, however long it takes. */
  whenFinal() {
    return this.#final;
  }

  /** @param {string} state */
  async #show(state) {
    this.#state = state;
    if (keep || !['authorizing', 'pending'].includes(state)) return;
    try {
      keep = await import('./keep.js');
      keep.loaded(this.shadowRoot.querySelector('[part=qr] img'));
    } catch (reason) {
      console.info('payment-checkout: could not load what saves pictures and prints', reason);
    }
  }

  /** @returns {Promise<object>} */
  #nextFinal() {
    return new Promise((resolve) => (this.#settle = resolve));
  }

  /** What crosses into the wasm. */
  #options() {
    const attributes = ATTRIBUTES.map((name) => [propertyOf(name), this.getAttribute(name) || undefined]);
    const options = Object.fromEntries(attributes);
    const all = {
      ...options,
      baseUrl: options.baseUrl ?? '',
      locale: localeOf(this),
      redirectUrl: this.#absolute(options.redirectUrl),
      request: this.#request,
      messages: this.#messages,
      shares: shares(),
    };
    complain(all, this.#mistakes);
    return all;
  }

  /** An address of the page's own; one that cannot be read is told, and as good as none. @param {string | undefined} url */
  #absolute(url) {
    if (!url) return undefined;
    try {
      return new URL(url, document.baseURI).href;
    } catch {
      console.error('payment-checkout: redirect-url is not an address:', url);
      this.#tell('checkout-error', { code: 'configuration', retryable: false });
      return undefined;
    }
  }

  /** @param {string} name @param {any} detail */
  #tell(name, detail) {
    // Another order begins another wait, once the one before has its answer.
    if (name === 'checkout-ready' && !this.#settle) this.#final = this.#nextFinal();
    if (name === 'checkout-result') {
      this.#settle?.(detail);
      this.#settle = undefined;
    }
    const cancelable = name === 'checkout-redirect';
    return this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, cancelable, detail }));
  }
}

reflect(PaymentCheckout, ATTRIBUTES);

/**
 * Registers the element.
 * @param {string} [tag]
 * @param {{ wasm?: string | URL }} [options] where the wasm is, for pages that host it elsewhere
 */
export function define(tag = 'payment-checkout', { wasm } = {}) {
  if (wasm) WASM.hostedAt(wasm);
  register(tag, PaymentCheckout);
}
