// The staff's element.

import { propertyOf, reflect, upgrade } from '../shared/custom-element.ts';
import { diagnose } from '../shared/diagnosis.ts';
import { keepTexts } from '../shared/kept-texts.ts';
import type { FailedLoad } from '../shared/load-diagnosis.ts';
import { SharedStyleSheet } from '../shared/style-sheet.ts';
import type { Mounted } from '../shared/wasm.ts';
import { WasmElement } from '../shared/wasm-element.ts';
import { FAILURES } from './failure-texts.ts';
import { Notices } from './notices.ts';
import { ATTRIBUTES } from './printed/surface.ts';
import css from './style.css' with { type: 'text' };
import { WASM } from './wasm.ts';

/** The build writes the text of the file into this module, so that scripts can adopt it. */
const SHEET = new SharedStyleSheet(css, () => new URL('./style.css', import.meta.url));

/** `<payment-operations>`. The crate `element-surface` declares what a page sees of it. */
export class PaymentOperations extends WasmElement<Mounted> {
  static observedAttributes = ATTRIBUTES;

  /** The version of the package. */
  static version = VERSION;

  #complained = false;

  #notices = new Notices();

  constructor() {
    super({ wasm: WASM, sheet: SHEET, texts: FAILURES });
    keepTexts(this.shadowRoot);
  }

  override connectedCallback() {
    upgrade(this, ATTRIBUTES.map(propertyOf));
    super.connectedCallback();
  }

  protected override wasmHost() {
    return {
      tell: (name: string) => this.#dispatch(name),
      opened: (code?: string, number?: string) => this.#onOpened(code, number),
      notice: (count: number, rings: boolean) => {
        this.#notices.mark(count);
        if (rings) this.#notices.ring();
      },
    };
  }

  protected override wasmOptions() {
    const baseUrl = this.getAttribute('base-url') || '';
    if (!baseUrl && !this.#complained) {
      this.#complained = true;
      diagnose('error', () => ['payment-operations: base-url is missing: it says where your server answers, as in base-url="/api/staff"']);
    }
    return {
      baseUrl,
      locale: this.wasmLocale(),
      operation: this.getAttribute('operation') ?? undefined,
      permissions: this.getAttribute('permissions') ?? undefined,
    };
  }

  protected override wasmIdentity() {
    return [this.getAttribute('base-url')];
  }

  protected override onWasmLeave() {
    this.#notices.end();
  }

  /** The switches of the desk are off again. */
  protected override onWasmRestart() {
    this.#notices.end();
  }

  protected override explainLoadFailure(facts: FailedLoad) {
    import('./diagnostics.ts').then(
      ({ explainLoad }) => explainLoad(facts),
      () => {},
    );
  }

  protected override onWasmFailure(code: 'load' | 'crash', retryable: boolean) {
    this.#notices.end();
    this.#dispatch('operations-error', { code, retryable });
  }

  /** Names the operation on the screen in the attribute, so that the page can remove the attribute to leave the operation. */
  #onOpened(code?: string, number?: string) {
    const operation = code ? `${code}/${number}` : null;
    if (operation) this.setAttribute('operation', operation);
    else this.removeAttribute('operation');
    this.#dispatch('operations-opened', operation ? { merchant_code: code, merchant_operation_number: number } : undefined);
  }

  #dispatch(name: string, detail?: object) {
    if (name === 'operations-signed-in') this.forgetCrash();
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }
}

reflect(PaymentOperations, ATTRIBUTES);
