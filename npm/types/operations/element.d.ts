/** The detail of `operations-error`. */
export interface OperationsErrorDetail {
  code: 'load' | 'crash';
  /** True when trying again makes sense. */
  retryable: boolean;
}

/** The events of `<payment-operations>`. All bubble, and cross shadow roots. */
export interface OperationsEventMap {
  /** A person is signed in. The event carries no name. */
  'operations-signed-in': CustomEvent<null>;
  /** The person is signed out. */
  'operations-signed-out': CustomEvent<null>;
  /** The element cannot run. */
  'operations-error': CustomEvent<OperationsErrorDetail>;
}

/** The attributes of `<payment-operations>`, by name. */
export interface OperationsAttributes {
  /** The base of the staff's addresses at the merchant's server, as in `/api/staff`. */
  'base-url'?: string | null | undefined;
  /** `es-PE` or `en`; the nearest `lang` if absent. */
  locale?: string | null | undefined;
  /** The actions on offer: `cancel`, `refund`, both, or empty. The server decides about
   * permissions. */
  permissions?: string | null | undefined;
}

/** `<payment-operations>`: the element for the merchant's staff. */
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
   * The address of the wasm, for pages that host it elsewhere. Set it before the first element is in the
   * page. It counts for every tag. Only this version's own bytes will run.
   */
  wasm?: string | URL;
}

/** Registers the element. Doing so twice, or on a server, is harmless. */
export function define(tag?: string, options?: DefineOptions): void;

declare global {
  // They bubble, so every ancestor can listen.
  interface HTMLElementEventMap extends OperationsEventMap {}
  interface DocumentEventMap extends OperationsEventMap {}
  interface HTMLElementTagNameMap {
    'payment-operations': PaymentOperations;
  }
}
