// The staff's element.

import { propertyOf, reflect, upgrade } from '../shared/custom-element.ts';
import { diagnose } from '../shared/diagnosis.ts';
import { Lifecycle } from '../shared/lifecycle.ts';
import { localeOf } from '../shared/locale.ts';
import { FAILURES } from './failure-texts.ts';
import { sheet } from './style.ts';
import { WASM } from './wasm.ts';

const ATTRIBUTES = ['base-url', 'locale', 'operation', 'permissions'];

// On a server there is nothing to extend; the class can be imported all the same.
const Base = globalThis.HTMLElement ?? class {};

/**
 * Lets the merchant's staff look operations up, cancel, reverse and refund them.
 *
 * Its content is shown until the element works, and if it cannot work. The merchant's server
 * decides about an account's permissions; `permissions` can only remove some. The element follows
 * the page's `color-scheme`; set that on the element to choose.
 *
 * @tag payment-operations
 *
 * @attr {string} base-url - The base of the staff's addresses at the merchant's server, as in `/api/staff`.
 * @attr {string} locale - `es-PE` or `en`; the nearest `lang` if absent.
 * @attr {string} operation - The operation on the screen, as in `100000001/482193017756`. The element keeps it up to date.
 * @attr {string} permissions - The actions on offer: `cancel`, `refund`, both, or empty.
 *
 * @fires {CustomEvent<null>} operations-signed-in - A person is signed in. The event carries no name.
 * @fires {CustomEvent<null>} operations-signed-out - The person is signed out.
 * @fires {CustomEvent<OperationsOpenedDetail | null>} operations-opened - An operation is on the screen, or with `null` none is any more.
 * @fires {CustomEvent<OperationsErrorDetail>} operations-error - The element cannot run: `load` or `crash`.
 *
 * @slot - The page's own content until the element works, and if it cannot work.
 *
 * @cssprop --operations-accent - Buttons, links, focus.
 * @cssprop --operations-on-accent - Text on the accent.
 * @cssprop --operations-surface - The page.
 * @cssprop --operations-text - Text.
 * @cssprop --operations-muted - Lesser text.
 * @cssprop --operations-border - Lines and outlines.
 * @cssprop --operations-good - A payment, a refund that was registered.
 * @cssprop --operations-bad - Errors, canceling, reversing.
 * @cssprop [--operations-radius=10px] - Corners; 0 for square ones.
 * @cssprop --operations-font - Font family; `inherit` for the page's.
 *
 * @csspart operations - Everything.
 * @csspart head - The row above everything, with sign-out.
 * @csspart tab - One of the places to go to.
 * @csspart sign-in - The form to sign in with.
 * @csspart selection - What can be done with the chosen operations.
 * @csspart summary - An operation at a glance.
 * @csspart payer - Who pays.
 * @csspart transaction - One of its transactions.
 * @csspart timeline - The events of an operation, with their times.
 * @csspart refunds - The refunds of an operation.
 * @csspart refund - One of them.
 * @csspart exception - One exception.
 * @csspart dialog - The question before an action.
 * @csspart trouble - The message about a trouble.
 * @csspart button - Every button.
 * @csspart primary-button - The button that leads on.
 * @csspart quiet-button - Buttons that lead elsewhere.
 * @csspart danger-button - Buttons whose effect cannot be undone.
 */
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
