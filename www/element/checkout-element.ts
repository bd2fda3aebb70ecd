// The custom element.

import { propertyOf, reflect, upgrade } from '../shared/custom-element.ts';
import { quietly } from '../shared/diagnosis.ts';
import { Lifecycle } from '../shared/lifecycle.ts';
import { languageAround, localeOf } from '../shared/locale.ts';
import { measure } from '../shared/measure.ts';
import { webAddress } from '../shared/web-address.ts';
import { ATTRIBUTES, given, IDENTITY, PAGE_URL, SWITCHES } from './attributes.ts';
import { choice, offers, rewrite } from './choice.ts';
import { DiagnosticsTriggers } from './diagnostics-triggers.ts';
import type { Exchange } from './exchange.ts';
import { FAILURES } from './failure-texts.ts';
import { FirstResult } from './first-result.ts';
import { FirstScreen } from './first-screen.ts';
import { Localization } from './localization.ts';
import { QrToolsLoader } from './qr-tools-loader.ts';
import { ScreenState } from './screen-state.ts';
import type { Detail } from './settings.ts';
import { orderIdentity } from './signed-order.ts';
import { sheet } from './style.ts';
import { WASM } from './wasm.ts';

/** True if this browser can share pictures with other apps. */
const shares = () => Boolean(navigator.canShare?.({ files: [new File([''], 'qr.png', { type: 'image/png' })] }));

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
 * @attr {string} live-url - The address that tells which operation of the order its payer should see; nobody is asked if absent.
 * @attr {string} methods - Methods on offer, in order, separated by spaces; `QR INSTALLMENT` if absent.
 * @attr {string} amount - The page's price, in whole cents; together with `currency`.
 * @attr {string} currency - ISO 4217.
 * @attr {string} merchant-name - The name of the merchant.
 * @attr {string} payee-name - The name that the payer's wallet shows, when it differs.
 * @attr {string} wallets - The apps that pay the QR code, as they stand in a sentence: `Apu, Nube`.
 * @attr {string} help-url - The address of the merchant's help; `{number}` stands for the operation's number.
 * @attr {string} page-url - The address of the order's page at the merchant's server, which pays without the wasm.
 * @attr {string} order-label - The shop's name for the order, as the payer knows it.
 * @attr {string} redirect-url - The address to which the lender returns the payer; the page itself if absent.
 * @attr {string} redirect-hosts - The only hosts that the payer may be led to, separated by spaces.
 * @attr {string} merchant-code - With `merchant-operation-number`: shows an operation that exists.
 * @attr {string} merchant-operation-number - The operation to show.
 * @attr {string} transaction-id - Its transaction, where it is known.
 * @attr {string} heading-level - The level of the heading of each screen, from `1` to `6`; `2` if absent.
 * @attr {string} locale - `es-PE`, `en` or `pt-BR`; the nearest `lang` if absent.
 * @attr {boolean} debug - Tells each step in the console, without a person, an amount or a code.
 *
 * @fires {CustomEvent<null>} checkout-ready - The element works.
 * @fires {CustomEvent<StatusDetail>} checkout-pending - An operation waits for the payer.
 * @fires {CustomEvent<RedirectDetail>} checkout-redirect - The payer is about to be led to another site; cancelable.
 * @fires {CustomEvent<StatusDetail>} checkout-status - The server answered another state.
 * @fires {CustomEvent<ResultDetail>} checkout-result - The server answered how it ended; once an operation and outcome.
 * @fires {CustomEvent<ErrorDetail>} checkout-error - Something is wrong.
 * @fires {CustomEvent<StateDetail>} checkout-state - The payer sees another screen.
 * @fires {CustomEvent<ActionDetail>} checkout-action - The payer decided something.
 *
 * @slot - The page's own content until the element works, and if it cannot work.
 * @slot choosing - The merchant's own words below the choice of methods.
 * @slot wallets - The marks of the apps that pay the QR code: one element, in the choice and below the code.
 * @slot waiting - The merchant's own words while a code waits, such as a link that opens an app.
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
 * @csspart step-number - The number of a step.
 * @csspart waiting - The line about the wait for the payment.
 * @csspart deadline - The deadline, and the time until then.
 * @csspart countdown - The time that is left.
 * @csspart progress - The bar that shrinks with it.
 * @csspart receipt - The rows of a payment that was made.
 * @csspart operation - The number of the operation, or the code to pay at.
 * @csspart number - The number itself.
 * @csspart code - The cash code.
 * @csspart actions - The buttons at the end.
 * @csspart button - Every button.
 * @csspart primary-button - The button that leads on.
 * @csspart quiet-button - Buttons that lead elsewhere.
 * @csspart danger-button - Buttons whose effect cannot be undone.
 * @csspart copy-button - Copies the number or the code.
 * @csspart print-button - Prints the cash code, or the receipt.
 * @csspart save-button - Saves the QR code, or the receipt.
 * @csspart enlarge-button - Enlarges the code on a phone.
 * @csspart share-button - Shares it.
 * @csspart help - The link to the merchant's help.
 * @csspart confirm - The question before a cancellation.
 * @csspart failure - The message when the wasm does not run.
 */
export class PaymentCheckout extends Base {
  static observedAttributes = [...ATTRIBUTES, ...SWITCHES];

  /** The version of the package. */
  static version = VERSION;

  #lifecycle = new Lifecycle(this, {
    wasm: WASM,
    sheet,
    texts: FAILURES,
    border: () => ({
      exchanged: (detail: Omit<Exchange, 'response'>, response: Response | undefined) =>
        void this.#diagnostics.onExchange({ ...detail, response }),
      keep: (ended: string) => this.#rememberEnd(ended),
      showState: (state: string) => this.#show(state),
      tell: (name: string, detail: Detail | undefined) => this.#dispatch(name, detail),
    }),
    options: () => this.#options(),
    identity: () => this.#identity(),
    first: () => this.#firstScreen(),
    prepare: (wasm) => this.#localization.prepare(localeOf(this), this.#messages, wasm),
    elsewhere: () => webAddress(this.getAttribute(PAGE_URL), document.baseURI),
    number: () => this.#number || this.getAttribute('merchant-operation-number') || '',
    left: () => this.#enter('loading'),
    explain: (facts) => this.#diagnostics.explain('load', facts),
    failed: (code, retryable, reason) => {
      this.#enter('failed');
      this.#dispatch('checkout-error', { code, retryable }, reason);
    },
  });
  #localization = new Localization(() => this.#lifecycle.changed());
  #qrTools = new QrToolsLoader(this);
  #diagnostics = new DiagnosticsTriggers(this, PaymentCheckout.observedAttributes);
  #screen = new ScreenState(this);
  /** When the payer chose a method. */
  #chosen: number | undefined;
  /** The operation that an event named last. */
  #number = '';
  /** Lets the wasm show an end again after the element was out of the page. */
  #ended: string | undefined;
  /** The operations and outcomes of the results that events reported. */
  #reported = new Set<string>();
  /** The invalid redirect URL that an event reported. */
  #invalidUrl: string | undefined;
  #request: object | undefined;
  #messages: Record<string, string> | undefined;
  #final = new FirstResult(() => this.#identity());

  constructor() {
    super();
    // Before the wasm hears the press, and prints.
    this.shadowRoot?.addEventListener('click', (event) => this.#pressed(event), { capture: true });
    this.shadowRoot?.addEventListener('load', ({ target }) => this.#loaded(target), { capture: true });
  }

  connectedCallback() {
    upgrade(this, [...ATTRIBUTES.map(propertyOf), ...SWITCHES, 'request', 'messages']);
    this.#lifecycle.connect();
  }

  disconnectedCallback() {
    this.#lifecycle.disconnect();
  }

  attributeChangedCallback() {
    this.#changed();
  }

  addEventListener(name: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions) {
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
    this.#lifecycle.changed();
  }

  /** True when each step is told in the console. */
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
    this.#lifecycle.with((mounted) => mounted.cancel());
  }

  /** Repeats the failed step, or asks for a new code. */
  retry() {
    if (this.#lifecycle.isMounted) this.#lifecycle.with((mounted) => mounted.retry());
    else this.#lifecycle.connect();
  }

  /** Moves the focus to the heading of the screen, or of the first one while it is loading. */
  focus(options?: FocusOptions) {
    this.#lifecycle.focus(options);
  }

  /**
   * The detail of this checkout's first `checkout-result`, however long it takes. It rejects with an
   * `AbortError` when the element is given another checkout.
   */
  whenFinal() {
    return this.#final.promise();
  }

  /** Another attribute or `request` may make it another checkout. */
  #changed() {
    this.#final.renew();
    this.#lifecycle.changed();
  }

  #identity() {
    return [...IDENTITY.map((name) => this.getAttribute(name)), this.#request];
  }

  #pressed(event: Event) {
    this.#qrTools.pressed(event);
    const isChoice = (event.target as Element).closest('.choice');
    if (isChoice && ['loading', 'choosing'].includes(this.state)) this.#chosen ??= performance.now();
  }

  /** A picture in the element was loaded. */
  #loaded(target: EventTarget | null) {
    // Pictures of the page, in a slot, come by here, too.
    if (!(target as Element).closest('[part=qr]')) return;
    this.#qrTools.loaded(target);
    if (this.#chosen === undefined) return;
    measure('payment-checkout:qr', this.#chosen);
    this.#chosen = undefined;
  }

  /** An end that the wasm shows again after the element was out of the page. */
  #rememberEnd(ended: string) {
    this.#ended = ended;
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
  #firstScreen() {
    const properties = { request: this.#request, messages: this.#messages };
    const facts = { attributes: given(this), locale: localeOf(this), page: languageAround(this), ...properties };
    const drawn = this.#ended ? undefined : choice(facts);
    return drawn && new FirstScreen(drawn, (node) => rewrite(node, facts));
  }

  /** The options that the element passes to the wasm. */
  #options() {
    const options = given(this);
    const all = {
      ...options,
      baseUrl: options.baseUrl ?? '',
      ended: this.#ended,
      ...this.#localization.now(localeOf(this), this.#messages),
      pageLanguage: languageAround(this),
      redirectUrl: this.#absolute(options.redirectUrl),
      offers: offers(options.methods),
      hosts: (options.redirectHosts ?? '').split(/\s+/).filter(Boolean),
      request: this.#request,
      named: orderIdentity(this.#request),
      messages: this.#messages,
      shares: shares(),
    };
    this.#final.begin();
    quietly(() => this.#diagnostics.configured(all));
    return all;
  }

  /** Resolves a URL against the page; reports an invalid one and ignores it. */
  #absolute(url: string | undefined) {
    if (!url) return undefined;
    try {
      return new URL(url, document.baseURI).href;
    } catch {
      if (this.#invalidUrl !== url) {
        this.#invalidUrl = url;
        this.#dispatch('checkout-error', { code: 'configuration', retryable: false }, 'redirect-url');
      }
      return undefined;
    }
  }

  /** Dispatches an event. If the element itself knows the reason of an error, it passes it. */
  #dispatch(name: string, detail: Detail | undefined, reason?: unknown) {
    if (name === 'checkout-ready') {
      this.#number = '';
      measure('payment-checkout:ready');
    }
    this.#number = detail?.merchantOperationNumber ?? this.#number;
    if (name === 'checkout-result' && detail) {
      this.#lifecycle.finished();
      this.#final.resolve(detail);
      const end = `${detail.merchantCode} ${detail.merchantOperationNumber} ${detail.outcome}`;
      if (this.#reported.has(end)) return true;
      this.#reported.add(end);
    }
    if (name === 'checkout-error') {
      quietly(() => {
        const options = { ...given(this), messages: this.#messages, request: this.#request };
        const { code = '' } = detail ?? {};
        detail = { ...detail, ...this.#diagnostics.factsOf(code, options, reason) };
        this.#diagnostics.failed(code, options);
      });
    }
    quietly(() => this.#diagnostics.step(name, detail));
    const cancelable = name === 'checkout-redirect';
    return this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, cancelable, detail }));
  }
}

reflect(PaymentCheckout, ATTRIBUTES);
