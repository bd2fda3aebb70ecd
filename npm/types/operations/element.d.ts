/** The detail of `operations-error`. */
export interface OperationsErrorDetail {
  code: 'load' | 'crash';
  /** Whether trying again makes sense. */
  retryable: boolean;
}

/** The events of `<payment-operations>`. All bubble, and cross shadow roots. */
export interface OperationsEventMap {
  /** Somebody is signed in; the page is told no name. */
  'operations-signed-in': CustomEvent<null>;
  /** Nobody is signed in any more. */
  'operations-signed-out': CustomEvent<null>;
  /** The element cannot run. */
  'operations-error': CustomEvent<OperationsErrorDetail>;
}

/** The attributes of `<payment-operations>`, by name. */
export interface OperationsAttributes {
  /** Where the staff's addresses of the merchant's server are, as in `/api/staff`. */
  'base-url'?: string | null | undefined;
  /** `es-PE` or `en`; the nearest `lang` if absent. */
  locale?: string | null | undefined;
  /** What the page is for: `cancel`, `refund`, both, or empty. The server decides what is allowed. */
  permissions?: string | null | undefined;
}

/** `<payment-operations>`: the desk of the merchant's staff. */
export class PaymentOperations extends HTMLElement {
  baseUrl: string | null;
  locale: string | null;
  permissions: string | null;

  addEventListener<K extends keyof OperationsEventMap>(
    type: K,
    listener: (this: PaymentOperations, event: OperationsEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (this: PaymentOperations, event: HTMLElementEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof OperationsEventMap>(
    type: K,
    listener: (this: PaymentOperations, event: OperationsEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener<K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (this: PaymentOperations, event: HTMLElementEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

export interface DefineOptions {
  /**
   * Where the wasm is, for pages that host it elsewhere: before the first element is in the page, and for every
   * tag. Nothing but this version's own bytes will run.
   */
  wasm?: string | URL;
}

/** Registers the element. Doing so twice, or on a server, is harmless. */
export function define(tag?: string, options?: DefineOptions): void;

declare global {
  // They bubble, and are heard anywhere above.
  interface HTMLElementEventMap extends OperationsEventMap {}
  interface DocumentEventMap extends OperationsEventMap {}
  interface HTMLElementTagNameMap {
    'payment-operations': PaymentOperations;
  }
}
