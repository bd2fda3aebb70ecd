// The staff's element. Importing this module registers nothing; see `define`.

import { Life, propertyOf, reflect, register, upgrade } from './life.js';
import { localeOf } from './locale.js';
import init, { binary, mount, onPanic } from './payment-operations-wasm.js';
import { sheet } from './style.js';
import { FAILURES } from './texts.js';
import { Wasm } from './wasm.js';

const WASM = new Wasm('payment-operations', { binary, init, mount: /** @type {any} */ (mount), onPanic });

const ATTRIBUTES = ['base-url', 'locale', 'permissions'];

// On a server there is nothing to extend; the class can be imported all the same.
const Base = globalThis.HTMLElement ?? class {};

/**
 * Lets the merchant's staff look operations up, cancel, reverse and refund them.
 *
 * Its content is what a page shows until the element works, and where it cannot. The merchant's
 * server decides what an account may do; `permissions` only takes away from it.
 *
 * @fires operations-signed-in - somebody is signed in; the page is told no name
 * @fires operations-signed-out - nobody is signed in any more
 * @fires operations-error - the element cannot run: `load` or `crash`
 */
export class PaymentOperations extends Base {
  static observedAttributes = ATTRIBUTES;

  #life = new Life(this, {
    wasm: WASM,
    sheet,
    texts: FAILURES,
    border: () => ({ tell: (/** @type {string} */ name) => this.#tell(name) }),
    options: () => this.#options(),
    left: () => {},
    failed: (code, retryable) => this.#tell('operations-error', { code, retryable }),
  });
  #complained = false;

  connectedCallback() {
    upgrade(this, ATTRIBUTES.map(propertyOf));
    this.#life.connect();
  }

  disconnectedCallback() {
    this.#life.disconnect();
  }

  attributeChangedCallback() {
    this.#life.changed();
  }

  #options() {
    const baseUrl = this.getAttribute('base-url') || '';
    if (!baseUrl && !this.#complained) {
      this.#complained = true;
      console.error('payment-operations: base-url is missing: it says where your server answers, as in base-url="/api/staff"');
    }
    return {
      baseUrl,
      locale: localeOf(this),
      permissions: this.getAttribute('permissions') ?? undefined,
    };
  }

  /** @param {string} name @param {object} [detail] */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }
}

reflect(PaymentOperations, ATTRIBUTES);

/**
 * Registers the element.
 * @param {string} [tag]
 * @param {{ wasm?: string | URL }} [options] where the wasm is, for pages that host it elsewhere
 */
export function define(tag = 'payment-operations', { wasm } = {}) {
  if (wasm) WASM.hostedAt(wasm);
  register(tag, PaymentOperations);
}
