import type { CheckoutLocale, HeadingLevel, MethodList, WholeCents } from './attributes.js';
import type { CheckoutEventMap, CheckoutState, ResultDetail } from './events.js';
import type { MessageKey } from './messages.js';

export type * from './attributes.js';
export type * from './events.js';
export type {
  Amount,
  Currency,
  MerchantCode,
  MerchantOperationNumber,
  Outcome,
  PaymentMethodName,
  TransactionId,
  TransactionState,
} from './payment-model.js';
export type { MessageKey };

/** Texts in place of the built-in ones, by key. */
export type Messages = Partial<Record<MessageKey, string>>;

/** An event's name that is not one of the element's is misspelled. */
type Listened<Name> = Name extends `checkout-${string}` ? keyof CheckoutEventMap : Name;

/** `<payment-checkout>`: takes a payment through the merchant's own server. */
export class PaymentCheckout extends HTMLElement {
  baseUrl: string | null;
  authorizeUrl: string | null;
  statusUrl: string | null;
  cancelUrl: string | null;
  liveUrl: string | null;
  methods: MethodList | null;
  /** In whole cents; together with `currency`. */
  amount: WholeCents | null;
  currency: string | null;
  merchantName: string | null;
  payeeName: string | null;
  wallets: string | null;
  helpUrl: string | null;
  pageUrl: string | null;
  orderLabel: string | null;
  redirectUrl: string | null;
  redirectHosts: string | null;
  merchantCode: string | null;
  merchantOperationNumber: string | null;
  transactionId: string | null;
  locale: CheckoutLocale | null;
  headingLevel: HeadingLevel | `${HeadingLevel}` | null;
  /** Tells the steps of the flow in the console. */
  debug: boolean;

  /** The merchant's own fields of the authorize body, such as `{ order_id: '1001' }`. */
  request: object | undefined;

  /** Texts in place of the built-in ones, by key. */
  messages: Messages | undefined;

  /** The screen that the payer sees; `checkout-state` tells each change. */
  readonly state: CheckoutState;
  /** The version of the package, as in `0.1.0`. */
  readonly version: string;
  static readonly version: string;

  /** Asks the payer to confirm the cancellation of the waiting operation. */
  cancel(): void;

  /** Repeats the failed step, or asks for a new code. */
  retry(): void;

  /** Moves the focus to the heading of the present screen. */
  focus(options?: FocusOptions): void;
  /**
   * The detail of the first `checkout-result` of the checkout that is asked, however long it takes. It rejects with
   * a `DOMException` named `AbortError` when the attributes or `request` become those of another checkout.
   */
  whenFinal(): Promise<ResultDetail>;

  addEventListener<K extends keyof CheckoutEventMap>(
    type: K,
    listener: (this: PaymentCheckout, event: CheckoutEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (this: PaymentCheckout, event: HTMLElementEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends string>(
    type: Listened<Name>,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof CheckoutEventMap>(
    type: K,
    listener: (this: PaymentCheckout, event: CheckoutEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener<K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (this: PaymentCheckout, event: HTMLElementEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener<Name extends string>(
    type: Listened<Name>,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

export interface DefineOptions {
  /**
   * The address of the wasm, for pages that host it elsewhere. Set it before the first element is in the
   * page. It counts for every tag. Only this version's own bytes will run.
   */
  wasm?: string | URL;
}

/** Registers the element. Doing so twice, or on a server, is harmless. */
export function define(tag?: string, options?: DefineOptions): void;

/**
 * Loads the wasm before there is an element, for pages that know that there will be one. It is fulfilled when the wasm is
 * there, or cannot be: the element tells of that, and tries again. On a server it does nothing.
 */
export function load(): Promise<void>;

declare global {
  // They bubble and cross shadow roots, so everything around the element can listen.
  interface ElementEventMap extends CheckoutEventMap {}
  interface ShadowRootEventMap extends CheckoutEventMap {}
  interface DocumentEventMap extends CheckoutEventMap {}
  interface WindowEventMap extends CheckoutEventMap {}
  interface HTMLElementTagNameMap {
    'payment-checkout': PaymentCheckout;
  }
}
