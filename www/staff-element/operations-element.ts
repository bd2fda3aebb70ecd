// The staff's element.

import { propertyOf, reflect, upgrade } from '../shared/custom-element.ts';
import { diagnose } from '../shared/diagnosis.ts';
import { Lifecycle } from '../shared/lifecycle.ts';
import { localeOf } from '../shared/locale.ts';
import { FAILURES } from './failure-texts.ts';
import { ATTRIBUTES } from './printed/surface.ts';
import { sheet } from './style.ts';
import { WASM } from './wasm.ts';

// On a server there is nothing to extend; the class can be imported all the same.
const Base = globalThis.HTMLElement ?? class {};

/** `<payment-operations>`. The crate `element-surface` declares what a page sees of it. */
export class PaymentOperations extends Base {
  static observedAttributes = ATTRIBUTES;

  /** The version of the package. */
  static version = VERSION;

  #lifecycle = new Lifecycle(this, {
    wasm: WASM,
    sheet,
    texts: FAILURES,
    border: () => ({
      tell: (name: string) => this.#tell(name),
      opened: (code: string, number: string) => this.#opened(code, number),
    }),
    options: () => this.#options(),
    identity: () => [this.getAttribute('base-url')],
    number: () => '',
    left: () => {},
    explain: (facts) => {
      import('./diagnostics.ts').then(
        ({ explainLoad }) => explainLoad(facts),
        () => {},
      );
    },
    failed: (code, retryable) => this.#tell('operations-error', { code, retryable }),
  });
  #complained = false;

  connectedCallback() {
    upgrade(this, ATTRIBUTES.map(propertyOf));
    this.#lifecycle.connect();
  }

  disconnectedCallback() {
    this.#lifecycle.disconnect();
  }

  attributeChangedCallback() {
    this.#lifecycle.changed();
  }

  #options() {
    const baseUrl = this.getAttribute('base-url') || '';
    if (!baseUrl && !this.#complained) {
      this.#complained = true;
      diagnose('error', () => ['payment-operations: base-url is missing: it says where your server answers, as in base-url="/api/staff"']);
    }
    return {
      baseUrl,
      locale: localeOf(this),
      operation: this.getAttribute('operation') ?? undefined,
      permissions: this.getAttribute('permissions') ?? undefined,
    };
  }

  /** The attribute tells what is on the screen, so that taking it away leads back. */
  #opened(code?: string, number?: string) {
    const operation = code ? `${code}/${number}` : null;
    if (operation) this.setAttribute('operation', operation);
    else this.removeAttribute('operation');
    this.#tell('operations-opened', operation ? { merchant_code: code, merchant_operation_number: number } : undefined);
  }

  #tell(name: string, detail?: object) {
    if (name === 'operations-signed-in') this.#lifecycle.finished();
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }
}

reflect(PaymentOperations, ATTRIBUTES);
