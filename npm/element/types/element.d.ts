import type { CheckoutEventMap } from './events.js';
import type { MessageKey, MessageTexts } from './messages.js';
import type { CheckoutMembers } from './surface.js';

export type * from './attributes.js';
export type * from './events.js';
export type * from './surface.js';
export type { CheckoutStartEvent } from './start.js';
export { PageRefusal } from './start.js';
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
export type { MessageKey, MessageTexts };

/** Texts in place of the built-in ones, by key. */
export type Messages = Partial<MessageTexts> & {
  /**
   * The language of the texts, as in `qu`, for one that the element does not have: the element has it as its `lang`, and the
   * browser formats amounts and dates for it.
   */
  locale?: string;
  /** The direction in which that language is written. */
  dir?: 'ltr' | 'rtl';
};

/** An event's name that is not one of the element's is misspelled. */
type Listened<Name> = Name extends `checkout-${string}` ? keyof CheckoutEventMap : Name;

/** `<payment-checkout>`: takes a payment through the merchant's own server. */
export interface PaymentCheckout extends CheckoutMembers {}
export class PaymentCheckout extends HTMLElement {
  /** The version of the package, as in `0.1.0`. */
  static readonly version: string;

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
