// The custom element.

import { headingLevel, propertyOf, reflect, upgrade } from '../shared/custom-element.ts';
import { diagnose, quietly } from '../shared/diagnosis.ts';
import { keepTexts } from '../shared/kept-texts.ts';
import type { FailedLoad } from '../shared/load-diagnosis.ts';
import { languageAround } from '../shared/locale.ts';
import { measure } from '../shared/measure.ts';
import { sinceLoad, soon } from '../shared/waiting.ts';
import { WasmElement } from '../shared/wasm-element.ts';
import { addressOf, webAddress } from '../shared/web-address.ts';
import { given, withOrder } from './attributes.ts';
import { choice, offers, rewrite } from './choice.ts';
import { DiagnosticsTriggers } from './diagnostics-triggers.ts';
import type { Exchange } from './exchange.ts';
import { FirstResult } from './first-result.ts';
import { FirstScreen } from './first-screen.ts';
import { Localization } from './localization.ts';
import { NextPage } from './next-page.ts';
import { PageRefusal } from './page-refusal.ts';
import { FAILURES } from './printed/failure-texts.ts';
import type { CheckoutOptions } from './printed/options.ts';
import { ATTRIBUTES, IDENTITY, SWITCHES } from './printed/surface.ts';
import { QrToolsLoader } from './qr-tools-loader.ts';
import { ScreenState } from './screen-state.ts';
import type { Checkout, Detail, Settings } from './settings.ts';
import { orderIdentity } from './signed-order.ts';
import { sheet } from './style.ts';
import { type MountedCheckout, WASM } from './wasm.ts';

/** True if this browser can share pictures with other apps. */
const shares = () => Boolean(navigator.canShare?.({ files: [new File([''], 'qr.png', { type: 'image/png' })] }));

/** The address of the page around a frame that has none of its own, to which a lender can send nobody back. */
const addressAround = () => (location.protocol === 'about:' ? document.baseURI.split('#')[0] : undefined);

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
  #diagnostics = new DiagnosticsTriggers(this);
  #screen = new ScreenState(this);
  /** When the payer chose a method. */
  #chosen: number | undefined;
  /** The operation that an event named last. */
  #number = '';
  /** The operations and outcomes of the results that events reported. */
  #reported = new Set<string>();
  /** The events of the payment that were dispatched. */
  #dispatched = new Set<string>();
  /** True while a fresh instance of the wasm resumes the payment, of which the page heard already. */
  #resumes = false;
  /** The invalid addresses that events reported. */
  #invalidUrls = new Set<string>();
  /** What the page said, as the wasm has it. */
  #settings: Settings = {};
  /** True while the page prepares an attempt, and after it failed to: an order that it makes belongs to this checkout. */
  #starting = false;
  /** The method that the page wants to start by, before there is a wasm. */
  #startLater: string | undefined;
  // At once, so that the receipt is drawn, and read out, with the sentence about it.
  #nextPage = new NextPage(
    this,
    (url) => this.#follow(url),
    () => this.withWasm((mounted) => mounted.update(this.wasmOptions())),
  );
  #request: object | undefined;
  #messages: Record<string, string> | undefined;
  #final = new FirstResult(() => this.wasmIdentity());

  constructor() {
    super({ wasm: WASM, sheet, texts: FAILURES });
    keepTexts(this.shadowRoot);
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

  /** Starts a payment by a method, for a page with a choice of its own. */
  start(method: string) {
    if (this.hasWasm) this.withWasm((mounted) => mounted.start(method));
    else this.#startLater = method;
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
    this.#resumes = false;
    if (this.#starting) this.#final.adopt();
    else this.#final.renew();
    this.updateWasm();
  }

  protected override wasmHost() {
    return {
      dispatch: (name: string, detail: Detail | undefined) => this.#dispatch(name, detail),
      askToStart: (method: string) => this.#askToStart(method),
      exchanged: (exchange: Exchange) => void this.#diagnostics.onExchange(exchange),
      showState: (state: string) => this.#show(state),
    };
  }

  protected override wasmIdentity() {
    return [...IDENTITY.map((name) => this.getAttribute(name)), this.#order()];
  }

  /** The fields of the page in the body that starts a payment. */
  #order() {
    const order = this.getAttribute('order');
    return this.#request ?? (order ? { order } : undefined);
  }

  protected override prepareWasm(wasm: Promise<unknown>) {
    return this.#localization.prepare(this.wasmLocale(), this.#messages, wasm);
  }

  protected override failureNumber() {
    return this.#number || this.getAttribute('merchant-operation-number') || '';
  }

  protected override addressWithoutWasm() {
    return webAddress(this.getAttribute('page-url'));
  }

  protected override onWasmLeave() {
    this.#nextPage.stop();
    this.#enter('loading');
  }

  protected override onWasmRestart() {
    this.#resumes = true;
    this.#starting = false;
  }

  protected override explainLoadFailure(facts: FailedLoad) {
    this.#diagnostics.explain('load', facts);
  }

  protected override onWasmFailure(code: 'load' | 'crash', retryable: boolean, reason: unknown) {
    this.#enter('failed');
    this.#dispatch('checkout-error', ownError(code, retryable, String(reason ?? 'the console has the reason')));
  }

  #pressed(event: Event) {
    this.#resumes = false;
    this.#qrTools.pressed(event);
    const isChoice = (event.target as Element).closest('.choice');
    if (isChoice && ['loading', 'choosing'].includes(this.state)) this.#chosen ??= sinceLoad();
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
    if (state !== 'authorizing') this.#starting = false;
    if (state !== 'paid') this.#nextPage.stop();
    if (state !== 'pending') this.#qrTools.left();
    if (!previous) return;
    this.#localization.screenChanged(state);
    this.#dispatch('checkout-state', { state, previous });
  }

  /** The choice of methods, if it is certain that the wasm will show it. */
  protected override firstWasmScreen() {
    const facts = {
      attributes: withOrder(given(this)),
      hidesChoice: this.hasAttribute('hide-choice'),
      locale: this.wasmLocale(),
      messages: this.#messages,
      page: languageAround(this),
      request: this.#order(),
    };
    const drawn = this.#final.hasResult ? undefined : choice(facts);
    return drawn && new FirstScreen(drawn, (node) => rewrite(node, facts));
  }

  protected override wasmOptions(): CheckoutOptions & { request: unknown } {
    const attributes = withOrder(given(this));
    this.#settings = { ...attributes, request: this.#request, messages: this.#messages };
    this.#final.begin();
    quietly(() => this.#diagnostics.configured(this.#settings));
    const request = this.#order();
    return {
      attributes: ATTRIBUTES.map((name) => attributes[propertyOf(name)]),
      redirectUrl: this.#absolute('redirect-url', attributes.redirectUrl ?? addressAround()),
      paidUrl: this.#paidUrl(),
      ...this.#nextPage.said,
      methods: offers(attributes.methods, request),
      headingLevel: headingLevel(attributes.headingLevel),
      hidesChoice: this.hasAttribute('hide-choice'),
      pageLanguage: languageAround(this),
      request,
      orderIdentity: orderIdentity(request),
      shares: shares(),
      ...this.#localization.now(this.wasmLocale(), this.#messages),
    };
  }

  #paidUrl() {
    return webAddress(this.#absolute('paid-url', this.getAttribute('paid-url') ?? undefined));
  }

  /** Resolves the address in an attribute against the page; reports an invalid one and ignores it. */
  #absolute(attribute: string, url: string | undefined) {
    const address = url ? addressOf(url) : undefined;
    if (url && !address && !this.#invalidUrls.has(url)) {
      this.#invalidUrls.add(url);
      this.#dispatch('checkout-error', ownError('configuration', false, attribute));
    }
    return address?.href;
  }

  /** Asks the page before an attempt: true when it may begin, or a promise of that, with the page's reason if it refuses. */
  #askToStart(method: string): boolean | Promise<string | undefined> {
    const waits: Promise<unknown>[] = [];
    const waitUntil = (promise: unknown) => void waits.push(Promise.resolve(promise));
    const event: CustomEvent & { waitUntil?: typeof waitUntil } = new CustomEvent('checkout-start', {
      bubbles: true,
      composed: true,
      cancelable: true,
      detail: { method },
    });
    event.waitUntil = waitUntil;
    this.#starting = true;
    quietly(() => this.#diagnostics.step(event.type, event.detail));
    const mayBegin = this.dispatchEvent(event);
    if (!mayBegin || (waits.length === 0 && !this.hasPendingUpdate)) {
      this.#starting = false;
      return mayBegin;
    }
    return Promise.all(waits).then(
      () => undefined,
      (reason) => {
        if (reason instanceof PageRefusal) return reason.message;
        diagnose('error', () => ['payment-checkout: the promise of checkout-start was rejected', reason]);
        throw reason;
      },
    );
  }

  /** Leads to the page that follows a payment, unless this page prevents it. True if it does. */
  #follow(url: string) {
    const goes = this.state === 'paid' && this.#dispatch('checkout-redirect', { url });
    if (goes) location.assign(url);
    return goes;
  }

  /** Dispatches an event. False if a listener prevented what it announces. */
  #dispatch(name: string, detail: Detail | undefined) {
    if (detail?.code === 'page') this.#starting = true;
    if (['checkout-ready', 'checkout-pending', 'checkout-status'].includes(name)) {
      const key = [name, detail?.merchantOperationNumber, detail?.state].join();
      if (this.#resumes && this.#dispatched.has(key)) return true;
      this.#dispatched.add(key);
    }
    if (name === 'checkout-ready') {
      this.#number = '';
      measure('payment-checkout:ready');
      if (this.#startLater) soon(() => this.#startNow());
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
      quietly(() => this.#diagnostics.failed(detail?.code ?? '', this.#settings));
    }
    quietly(() => this.#diagnostics.step(name, detail));
    const cancelable = name === 'checkout-redirect';
    const goesOn = this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, cancelable, detail }));
    if (name === 'checkout-result' && detail?.outcome === 'paid' && !detail.resumed) this.#nextPage.paid(this.#paidUrl());
    return goesOn;
  }

  #startNow() {
    const method = this.#startLater;
    this.#startLater = undefined;
    if (method) this.start(method);
  }
}

reflect(PaymentCheckout, ATTRIBUTES);
