// The custom element. Importing this module registers nothing; see `define`.

import { complain, complainOfOtherSite } from './configuration.js';
import { propertyOf, reflect, register, upgrade } from '../shared/custom-element.js';
import { diagnose } from '../shared/diagnosis.js';
import { Lifecycle } from '../shared/lifecycle.js';
import { languageAround, localeOf } from '../shared/locale.js';
import init, { binary, guardWith, mount, onPanic } from './payment-checkout-wasm.js';
import { sheet } from './style.js';
import { FAILURES } from './texts.js';
import { Wasm } from '../shared/wasm.js';

const WASM = new Wasm('payment-checkout', { binary, guardWith, init, mount: /** @type {any} */ (mount), onPanic });

/** The module that saves, shares and prints codes, once loaded. @type {typeof import('./save-and-print.js') | undefined} */
let saver;

/** True if this browser can share pictures with other apps. */
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
 * Its content is shown until the element works, and if it cannot work. It is dark or light
 * as the page's `color-scheme` is; set that on the element to choose.
 *
 * @tag payment-checkout
 *
 * @attr {string} base-url - The address of the merchant's server, as in `/api`.
 * @attr {string} authorize-url - The address to authorize at, if not `{base-url}/charges`.
 * @attr {string} status-url - The address to ask for the state, with the names of the numbers in braces.
 * @attr {string} cancel-url - The address to cancel at, with the names of the numbers in braces.
 * @attr {string} methods - Methods on offer, in order, separated by spaces; `QR INSTALLMENT` if absent.
 * @attr {string} amount - The page's price, in whole cents; together with `currency`.
 * @attr {string} currency - ISO 4217.
 * @attr {string} merchant-name - The name of the merchant.
 * @attr {string} payee-name - The name that the payer's wallet shows, when it differs.
 * @attr {string} order-label - The shop's name for the order, as the payer knows it.
 * @attr {string} redirect-url - The address to which the lender returns the payer; the page itself if absent.
 * @attr {string} redirect-hosts - The only hosts that the payer may be led to, separated by spaces.
 * @attr {string} merchant-code - With `merchant-operation-number`: shows an operation that exists.
 * @attr {string} merchant-operation-number - The operation to show.
 * @attr {string} transaction-id - Its transaction, where it is known.
 * @attr {string} locale - `es-PE`, `en` or `pt-BR`; the nearest `lang` if absent.
 *
 * @fires {CustomEvent<null>} checkout-ready - The element works.
 * @fires {CustomEvent<StatusDetail>} checkout-pending - An operation waits for the payer.
 * @fires {CustomEvent<RedirectDetail>} checkout-redirect - The payer is about to be led to another site; cancelable.
 * @fires {CustomEvent<StatusDetail>} checkout-status - The server answered another state.
 * @fires {CustomEvent<ResultDetail>} checkout-result - The server answered how it ended; once an operation and outcome.
 * @fires {CustomEvent<ErrorDetail>} checkout-error - Something is wrong.
 *
 * @slot - The page's own content until the element works, and if it cannot work.
 * @slot paid - The merchant's next step after a payment.
 * @slot paid-twice - The same, when another operation of the order is paid too.
 * @slot declined - After a decline.
 * @slot invalid - After an operation that the service could not use.
 * @slot cancelled - After a cancellation.
 * @slot expired - After the deadline.
 * @slot reversed - After a payment that was given back.
 * @slot failed - On an error.
 *
 * @cssprop --checkout-accent - Buttons, links, focus.
 * @cssprop --checkout-on-accent - Text on the accent; black or white by itself, whichever reads better.
 * @cssprop --checkout-accent-text - The accent as text and lines; by default as dark or light as contrast needs.
 * @cssprop --checkout-surface - The card.
 * @cssprop --checkout-text - Text.
 * @cssprop --checkout-muted - Lesser text.
 * @cssprop --checkout-border - Lines and outlines.
 * @cssprop --checkout-good - A confirmed payment.
 * @cssprop --checkout-bad - Errors, canceling.
 * @cssprop [--checkout-radius=14px] - Corners; 0 for square ones.
 * @cssprop --checkout-font - Font family; `inherit` for the page's.
 * @cssprop --checkout-font-size - Text size; the page's own, and at least 16px.
 * @cssprop --checkout-padding - Room inside the card; 0 with a transparent surface for no card.
 * @cssprop [--checkout-gap=16px] - Room between the things on it.
 * @cssprop --checkout-shadow - The card's shadow.
 *
 * @csspart checkout - The card.
 * @csspart bill - The merchant, the order and the amount.
 * @csspart merchant - The name of the merchant.
 * @csspart order - The order.
 * @csspart amount - The amount.
 * @csspart notice - The message above everything, as when the connection is gone.
 * @csspart icon - The sign beside the heading.
 * @csspart heading - The heading of the screen.
 * @csspart body - Everything below it.
 * @csspart methods - The choice of methods.
 * @csspart method - One of them.
 * @csspart qr - The tile around the QR code, white in every theme.
 * @csspart steps - The payer's steps, in a list.
 * @csspart waiting - The line about the wait for the payment.
 * @csspart deadline - The deadline, and the time until then.
 * @csspart countdown - The time that is left.
 * @csspart operation - The number of the operation, or the code to pay at.
 * @csspart number - The number itself.
 * @csspart code - The cash code.
 * @csspart actions - The buttons at the end.
 * @csspart button - Every button.
 * @csspart primary-button - The button that leads on.
 * @csspart quiet-button - Buttons that lead elsewhere.
 * @csspart danger-button - Buttons whose effect cannot be undone.
 * @csspart copy-button - Copies the number or the code.
 * @csspart print-button - Prints the cash code.
 * @csspart save-button - Saves the QR code.
 * @csspart share-button - Shares it.
 * @csspart confirm - The question before a cancellation.
 * @csspart failure - The message when the wasm does not run.
 */
export class PaymentCheckout extends Base {
  static observedAttributes = ATTRIBUTES;

  #lifecycle = new Lifecycle(this, {
    wasm: WASM,
    sheet,
    texts: FAILURES,
    border: () => ({
      tell: (/** @type {string} */ name, /** @type {any} */ detail) => this.#tell(name, detail),
      showState: (/** @type {string} */ state) => this.#show(state),
    }),
    options: () => this.#options(),
    identity: () => [this.getAttribute('base-url'), this.#request],
    number: () => this.#number || this.getAttribute('merchant-operation-number') || '',
    left: () => void (this.#state = 'loading'),
    failed: (code, retryable) => {
      this.#state = 'failed';
      this.#tell('checkout-error', { code, retryable });
    },
  });
  /** @type {Set<string>} */
  #mistakes = new Set();
  #state = 'loading';
  /** The operation that an event named last. */
  #number = '';
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
    this.shadowRoot?.addEventListener('click', (event) => saver?.pressed(this, event), { capture: true });
    this.shadowRoot?.addEventListener('load', ({ target }) => saver?.loaded(target), { capture: true });
  }

  connectedCallback() {
    upgrade(this, [...ATTRIBUTES.map(propertyOf), 'request', 'messages']);
    this.#lifecycle.connect();
  }

  disconnectedCallback() {
    this.#lifecycle.disconnect();
  }

  attributeChangedCallback() {
    this.#lifecycle.changed();
  }

  /** The merchant's own fields of the authorize body, such as `{ order_id }`. */
  get request() {
    return this.#request;
  }

  set request(request) {
    this.#request = request;
    this.#lifecycle.changed();
  }

  /** Texts in place of the built-in ones, by key. */
  get messages() {
    return this.#messages;
  }

  set messages(messages) {
    this.#messages = messages;
    this.#lifecycle.changed();
  }

  /**
   * The screen that the payer sees: `loading`, `choosing`, `authorizing`, `pending`, `checking`,
   * `overdue`, `cancelling`, an outcome, or `failed`.
   */
  get state() {
    return this.#state;
  }

  /** Asks the payer to confirm the cancellation of the waiting operation. */
  cancel() {
    this.#lifecycle.with((mounted) => mounted.cancel());
  }

  /** Repeats the failed step, or asks for a new code. */
  retry() {
    if (this.#lifecycle.isMounted) this.#lifecycle.with((mounted) => mounted.retry());
    else this.#lifecycle.connect();
  }

  /** The detail of this checkout's first `checkout-result`, however long it takes. */
  whenFinal() {
    return this.#final;
  }

  /** @param {string} state */
  async #show(state) {
    this.#state = state;
    if (saver || !['authorizing', 'pending'].includes(state)) return;
    try {
      saver = await import('./save-and-print.js');
      saver.ready(this);
    } catch (reason) {
      diagnose('info', () => ['payment-checkout: could not load what saves pictures and prints', reason]);
    }
  }

  /** @returns {Promise<object>} */
  #nextFinal() {
    return new Promise((resolve) => (this.#settle = resolve));
  }

  /** The options that the element passes to the wasm. */
  #options() {
    const attributes = ATTRIBUTES.map((name) => [propertyOf(name), this.getAttribute(name) || undefined]);
    const options = Object.fromEntries(attributes);
    const all = {
      ...options,
      baseUrl: options.baseUrl ?? '',
      locale: localeOf(this),
      pageLanguage: languageAround(this),
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
      diagnose('error', () => ['payment-checkout: redirect-url is not an address:', url]);
      this.#tell('checkout-error', { code: 'configuration', retryable: false });
      return undefined;
    }
  }

  /** @param {string} name @param {any} detail */
  #tell(name, detail) {
    // Another order begins another wait, once the one before has its answer.
    if (name === 'checkout-ready') {
      this.#number = '';
      if (!this.#settle) this.#final = this.#nextFinal();
    }
    this.#number = detail?.merchantOperationNumber ?? this.#number;
    if (name === 'checkout-result') {
      this.#lifecycle.finished();
      this.#settle?.(detail);
      this.#settle = undefined;
    }
    if (['refused', 'not-found'].includes(detail?.code)) complainOfOtherSite(this.getAttribute('base-url') ?? '', this.#mistakes);
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
