// The custom element.

import { propertyOf, reflect, upgrade } from '../shared/custom-element.ts';
import { quietly } from '../shared/diagnosis.ts';
import { languageAround, localeOf } from '../shared/locale.ts';
import { measure } from '../shared/measure.ts';
import { WasmElement } from '../shared/wasm-element.ts';
import { webAddress } from '../shared/web-address.ts';
import { given } from './attributes.ts';
import { choice, offers, rewrite } from './choice.ts';
import { DiagnosticsTriggers } from './diagnostics-triggers.ts';
import type { Exchange } from './exchange.ts';
import { FAILURES } from './failure-texts.ts';
import { FirstResult } from './first-result.ts';
import { FirstScreen } from './first-screen.ts';
import { Localization } from './localization.ts';
import { ATTRIBUTES, IDENTITY, SWITCHES } from './printed/surface.ts';
import { QrToolsLoader } from './qr-tools-loader.ts';
import { ScreenState } from './screen-state.ts';
import type { Checkout, Detail } from './settings.ts';
import { orderIdentity } from './signed-order.ts';
import { sheet } from './style.ts';
import { type MountedCheckout, WASM } from './wasm.ts';

/** True if this browser can share pictures with other apps. */
const shares = () => Boolean(navigator.canShare?.({ files: [new File([''], 'qr.png', { type: 'image/png' })] }));

/** The detail of an error that no request caused, and that the wasm does not know. */
const ownError = (code: string, retryable: boolean, reason: string): Detail => ({
  code,
  retryable,
  message: `${code}: ${reason}`,
  status: null,
  problem: null,
  requestId: null,
});

/** `<payment-checkout>`. The crate `element-surface` declares what a page sees of it. */
export class PaymentCheckout extends WasmElement<MountedCheckout> implements Checkout {
  static observedAttributes = [...ATTRIBUTES, ...SWITCHES];

  /** The version of the package. */
  static version = VERSION;

  #localization = new Localization(() => this.updateWasm());
  #qrTools = new QrToolsLoader(this);
  #diagnostics = new DiagnosticsTriggers(this, PaymentCheckout.observedAttributes);
  #screen = new ScreenState(this);
  /** When the payer chose a method. */
  #chosen: number | undefined;
  /** The operation that an event named last. */
  #number = '';
  /** The operations and outcomes of the results that events reported. */
  #reported = new Set<string>();
  /** The invalid redirect URL that an event reported. */
  #invalidUrl: string | undefined;
  #request: object | undefined;
  #messages: Record<string, string> | undefined;
  #final = new FirstResult(() => this.wasmIdentity());

  constructor() {
    super({ wasm: WASM, sheet, texts: FAILURES });
    // Before the wasm handles the press, and prints.
    this.shadowRoot?.addEventListener('click', (event) => this.#pressed(event), { capture: true });
    this.shadowRoot?.addEventListener('load', ({ target }) => this.#loaded(target), { capture: true });
  }

  override connectedCallback() {
    upgrade(this, [...ATTRIBUTES.map(propertyOf), ...SWITCHES, 'request', 'messages']);
    super.connectedCallback();
  }

  override attributeChangedCallback() {
    this.#changed();
  }

  override addEventListener(name: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions) {
    quietly(() => this.#diagnostics.listened(name));
    super.addEventListener(name, listener, options);
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
    this.updateWasm();
  }

  /** True when each step is logged in the console. */
  get debug() {
    return this.hasAttribute('debug');
  }

  set debug(debug) {
    this.toggleAttribute('debug', Boolean(debug));
  }

  /**
   * The screen that the payer sees: `loading`, `choosing`, `authorizing`, `pending`, `checking`,
   * `overdue`, `cancelling`, an outcome, or `failed`.
   */
  get state() {
    return this.#screen.name;
  }

  /** The version of the package. */
  get version() {
    return VERSION;
  }

  /** Asks the payer to confirm the cancellation of the waiting operation. */
  cancel() {
    this.withWasm((mounted) => mounted.cancel());
  }

  /** Repeats the failed step, or asks for a new code. */
  retry() {
    if (this.hasWasm) this.withWasm((mounted) => mounted.retry());
    else this.loadWasm();
  }

  /** Moves the focus to the heading of the screen, or of the first one while it is loading. */
  override focus(options?: FocusOptions) {
    this.focusHeading(options);
  }

  /**
   * The detail of this checkout's first `checkout-result`, however long it takes. It rejects with an
   * `AbortError` when the element is given another checkout.
   */
  whenFinal() {
    return this.#final.promise();
  }

  /** Another attribute or `request` may make this another checkout. */
  #changed() {
    this.#final.renew();
    this.updateWasm();
  }

  protected override wasmHost() {
    return {
      dispatch: (name: string, detail: Detail | undefined) => this.#dispatch(name, detail),
      getAttribute: (name: string) => this.getAttribute(name),
      exchanged: (exchange: Exchange) => void this.#diagnostics.onExchange(exchange),
      showState: (state: string) => this.#show(state),
    };
  }

  protected override wasmIdentity() {
    return [...IDENTITY.map((name) => this.getAttribute(name)), this.#request];
  }

  protected override prepareWasm(wasm: Promise<unknown>) {
    return this.#localization.prepare(localeOf(this), this.#messages, wasm);
  }

  protected override failureNumber() {
    return this.#number || this.getAttribute('merchant-operation-number') || '';
  }

  protected override addressWithoutWasm() {
    return webAddress(this.getAttribute('page-url'), document.baseURI);
  }

  protected override onWasmLeave() {
    this.#enter('loading');
  }

  protected override explainLoadFailure(facts: { url: string | URL; reason: unknown }) {
    this.#diagnostics.explain('load', facts);
  }

  protected override onWasmFailure(code: 'load' | 'crash', retryable: boolean, reason: unknown) {
    this.#enter('failed');
    this.#dispatch('checkout-error', ownError(code, retryable, String(reason ?? 'the console has the reason')));
  }

  #pressed(event: Event) {
    this.#qrTools.pressed(event);
    const isChoice = (event.target as Element).closest('.choice');
    if (isChoice && ['loading', 'choosing'].includes(this.state)) this.#chosen ??= performance.now();
  }

  /** A picture in the element was loaded. */
  #loaded(target: EventTarget | null) {
    // The event may be of a picture of the page, in a slot.
    if (!(target as Element).closest('[part=qr]')) return;
    this.#qrTools.loaded(target);
    if (this.#chosen === undefined) return;
    measure('payment-checkout:qr', this.#chosen);
    this.#chosen = undefined;
  }

  #show(state: string) {
    this.#enter(state);
    void this.#qrTools.load(state);
  }

  #enter(state: string) {
    const previous = this.#screen.becomes(state);
    if (!['choosing', 'authorizing', 'pending'].includes(state)) this.#chosen = undefined;
    if (state !== 'pending') this.#qrTools.left();
    if (!previous) return;
    this.#localization.screenChanged(state);
    this.#dispatch('checkout-state', { state, previous });
  }

  /** The choice of methods, if it is certain that the wasm will show it. */
  protected override firstWasmScreen() {
    const properties = { request: this.#request, messages: this.#messages };
    const facts = { attributes: given(this), locale: localeOf(this), page: languageAround(this), ...properties };
    const drawn = this.#final.hasResult ? undefined : choice(facts);
    return drawn && new FirstScreen(drawn, (node) => rewrite(node, facts));
  }

  /** The options that the element passes to the wasm: the `Options` of the crate `checkout-element`. */
  protected override wasmOptions() {
    const attributes = given(this);
    const properties = { request: this.#request, messages: this.#messages };
    this.#final.begin();
    quietly(() => this.#diagnostics.configured({ ...attributes, ...properties }));
    return {
      redirectUrl: this.#absolute(attributes.redirectUrl),
      methods: offers(attributes.methods),
      pageLanguage: languageAround(this),
      request: this.#request,
      orderIdentity: orderIdentity(this.#request),
      shares: shares(),
      ...this.#localization.now(localeOf(this), this.#messages),
    };
  }

  /** Resolves a URL against the page; reports an invalid one and ignores it. */
  #absolute(url: string | undefined) {
    if (!url) return undefined;
    try {
      return new URL(url, document.baseURI).href;
    } catch {
      if (this.#invalidUrl !== url) {
        this.#invalidUrl = url;
        this.#dispatch('checkout-error', ownError('configuration', false, 'redirect-url'));
      }
      return undefined;
    }
  }

  /** Dispatches an event. False if a listener prevented what it announces. */
  #dispatch(name: string, detail: Detail | undefined) {
    if (name === 'checkout-ready') {
      this.#number = '';
      measure('payment-checkout:ready');
    }
    this.#number = detail?.merchantOperationNumber ?? this.#number;
    if (name === 'checkout-result' && detail) {
      this.forgetCrash();
      this.#final.resolve(detail);
      const end = `${detail.merchantCode} ${detail.merchantOperationNumber} ${detail.outcome}`;
      if (this.#reported.has(end)) return true;
      this.#reported.add(end);
    }
    if (name === 'checkout-error') {
      const settings = { ...given(this), messages: this.#messages, request: this.#request };
      quietly(() => this.#diagnostics.failed(detail?.code ?? '', settings));
    }
    quietly(() => this.#diagnostics.step(name, detail));
    const cancelable = name === 'checkout-redirect';
    return this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, cancelable, detail }));
  }
}

reflect(PaymentCheckout, ATTRIBUTES);
