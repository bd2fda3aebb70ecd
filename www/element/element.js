// The custom element. Importing this module registers nothing; see `define`.

import { complain } from './configuration.js';
import { failure } from './failure.js';
import { hasStopped, load, onStop } from './load.js';
import { alone } from './print.js';
import { sheet } from './style.js';

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
  'payee-name',
  'redirect-hosts',
  'redirect-url',
  'status-url',
  'transaction-id',
];

/** @param {string} attribute */
const propertyOf = (attribute) => attribute.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

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

  /** @type {import('./load.js').Mounted | undefined} */
  #mounted;
  /** @type {HTMLElement | undefined} */
  #stage;
  /** @type {(() => void) | undefined} */
  #forgetStop;
  #loading = false;
  #crashed = false;
  #updating = false;
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
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet()];
    root.append(document.createElement('slot'));
    // Before the wasm hears the press, and prints.
    root.addEventListener('click', (event) => this.#prepare(event), { capture: true });
  }

  /** @param {Event} event */
  #prepare({ target }) {
    if (target instanceof Element && target.closest('[part~=print-button]')) alone(this);
  }

  connectedCallback() {
    for (const name of [...ATTRIBUTES.map(propertyOf), 'request', 'messages']) this.#upgrade(name);
    this.#connect();
  }

  disconnectedCallback() {
    // Moving the element takes it out and puts it back at once, and must not disturb a payment.
    queueMicrotask(() => {
      if (!this.isConnected) this.#unmount();
    });
  }

  attributeChangedCallback() {
    this.#changed();
  }

  /** The merchant's own fields of the authorize body, such as `{ order_id }`. */
  get request() {
    return this.#request;
  }

  set request(request) {
    this.#request = request;
    this.#changed();
  }

  /** Texts in place of the built-in ones, by key. */
  get messages() {
    return this.#messages;
  }

  set messages(messages) {
    this.#messages = messages;
    this.#changed();
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
    this.#guard(() => this.#mounted?.cancel());
  }

  /** Tries again what failed, or asks for a new code. */
  retry() {
    if (this.#mounted) this.#guard(() => this.#mounted?.retry());
    else this.#connect();
  }

  /** The detail of this checkout's first `checkout-result`, however long it takes. */
  whenFinal() {
    return this.#final;
  }

  /** @returns {Promise<object>} */
  #nextFinal() {
    return new Promise((resolve) => (this.#settle = resolve));
  }

  /** A property that was set before the element was defined hides the accessor. @param {string} name */
  #upgrade(name) {
    if (!Object.hasOwn(this, name)) return;
    const self = /** @type {any} */ (this);
    const value = self[name];
    delete self[name];
    self[name] = value;
  }

  async #connect() {
    if (this.#mounted || this.#loading) return;
    if (hasStopped()) return this.#crash();
    this.#loading = true;
    this.#clear();
    let mount;
    try {
      mount = await load();
    } catch (reason) {
      console.error('payment-checkout: could not be loaded', reason);
    }
    // Whoever hears of the failure may try again at once.
    this.#loading = false;
    if (!this.isConnected) return;
    if (mount) this.#guard(() => this.#mount(mount));
    else this.#fail('load', () => this.#connect());
  }

  /** @param {NonNullable<Awaited<ReturnType<typeof load>>>} mount */
  #mount(mount) {
    this.#forgetStop = onStop(() => this.#crash());
    const host = {
      tell: (/** @type {string} */ name, /** @type {any} */ detail) => this.#tell(name, detail),
      showState: (/** @type {string} */ state) => void (this.#state = state),
    };
    // Yew listens on the node that it draws into for as long as the node lives: a new one each time.
    const stage = this.#show('stage', document.createElement('div'));
    stage.lang = this.#locale();
    this.#mounted = mount(stage, host, this.#options());
  }

  #unmount() {
    const mounted = this.#mounted;
    this.#mounted = undefined;
    this.#forgetStop?.();
    if (mounted) this.#guard(() => mounted.unmount());
    this.#state = 'loading';
    this.#clear();
  }

  /** Several changes of one moment are one update. */
  #changed() {
    if (!this.#mounted || this.#updating) return;
    this.#updating = true;
    queueMicrotask(() => {
      this.#updating = false;
      if (this.#stage) this.#stage.lang = this.#locale();
      this.#guard(() => this.#mounted?.update(this.#options()));
    });
  }

  /** What crosses into the wasm. */
  #options() {
    const attributes = ATTRIBUTES.map((name) => [propertyOf(name), this.getAttribute(name) || undefined]);
    const options = Object.fromEntries(attributes);
    const all = {
      ...options,
      baseUrl: options.baseUrl ?? '',
      locale: this.#locale(),
      redirectUrl: this.#absolute(options.redirectUrl),
      request: this.#request,
      messages: this.#messages,
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

  #locale() {
    let nearest;
    // A language is inherited through shadow roots as well.
    for (let node = /** @type {any} */ (this); node && !nearest; node = node.getRootNode().host) {
      nearest = node.closest('[lang]')?.getAttribute('lang');
    }
    return this.getAttribute('locale') || nearest || document.documentElement.lang || 'es-PE';
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

  /** A trap of the wasm comes out of it as an exception. @param {() => void} call */
  #guard(call) {
    try {
      call();
    } catch (reason) {
      console.error('payment-checkout: stopped', reason);
      this.#crash();
    }
  }

  /** What was being paid is kept by the tab and by the merchant's server. */
  #crash() {
    const mounted = this.#mounted;
    this.#mounted = undefined;
    this.#forgetStop?.();
    if (this.#crashed) return;
    this.#crashed = true;
    try {
      // What still runs must not go on without a screen.
      if (!hasStopped()) mounted?.unmount();
    } catch (reason) {
      console.error('payment-checkout: could not be ended', reason);
    }
    this.#fail('crash', () => location.reload());
  }

  /** @param {'load' | 'crash'} kind @param {() => void} retry */
  #fail(kind, retry) {
    const again = () => {
      this.#clear();
      retry();
    };
    const box = failure(kind, this.#locale(), again);
    if (kind === 'crash') this.#show('failure', box);
    else this.shadowRoot?.append(box);
    this.#state = 'failed';
    this.#tell('checkout-error', { code: kind, retryable: true });
  }

  /** Puts a node in the place of the page's own content. @param {string} part @param {HTMLElement} node */
  #show(part, node) {
    node.setAttribute('part', part);
    this.shadowRoot?.replaceChildren(node);
    this.#stage = node;
    return node;
  }

  /** Shows the page's own content again. */
  #clear() {
    this.#crashed = false;
    this.shadowRoot?.replaceChildren(document.createElement('slot'));
    this.#stage = undefined;
  }
}

for (const attribute of ATTRIBUTES) {
  Object.defineProperty(PaymentCheckout.prototype, propertyOf(attribute), {
    configurable: true,
    enumerable: true,
    get() {
      return this.getAttribute(attribute);
    },
    set(value) {
      if (value === null || value === undefined) this.removeAttribute(attribute);
      else this.setAttribute(attribute, value);
    },
  });
}

/**
 * Registers the element. Doing so twice, or where there are no elements, is harmless.
 * @param {string} [tag]
 */
export function define(tag = 'payment-checkout') {
  const registry = globalThis.customElements;
  if (!registry || registry.get(tag)) return;
  // A class can be registered once; another tag needs another one.
  registry.define(tag, registry.getName?.(PaymentCheckout) ? class extends PaymentCheckout {} : PaymentCheckout);
}
