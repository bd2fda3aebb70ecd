import type { OperationsAttributeValues, OperationsEventMap, OperationsMembers } from './surface.js';

export type * from './surface.js';

/** The detail of `operations-error`. */
export interface OperationsErrorDetail {
  code: 'load' | 'crash';
  /** True when trying again makes sense. */
  retryable: boolean;
}

/** The detail of `operations-opened`: an operation, without anything about its payer. */
export interface OperationsOpenedDetail {
  merchant_code: string;
  merchant_operation_number: string;
}

/** A language of the element, or another form of one, as in `en-GB`. */
export type OperationsLocale = 'es-PE' | 'en' | 'es' | `${'es' | 'en'}-${string}`;

/** The actions on offer. */
export type OperationsPermissions = '' | Permission | `${Permission} ${Permission}` | `${Permission} ${Permission} ${Permission}`;

type Permission = 'cancel' | 'refund' | 'link';

/** An operation: the merchant's code and the operation's number, as in `100000001/482193017756`. */
export type OperationPath = `${string}/${string}`;

type Optional<Values> = { [Name in keyof Values]?: Values[Name] | null | undefined };

/** The attributes of `<payment-operations>`, by name. */
export type OperationsAttributes = Pick<OperationsAttributeValues, 'base-url'> &
  Optional<Omit<OperationsAttributeValues, 'base-url'>>;

/** An event's name that is not one of the element's is misspelled. */
type Listened<Name> = Name extends `operations-${string}` ? keyof OperationsEventMap : Name;

/** `<payment-operations>`: the element for the merchant's staff. */
export interface PaymentOperations extends OperationsMembers {}
export class PaymentOperations extends HTMLElement {
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
  addEventListener<Name extends string>(
    type: Listened<Name>,
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
  interface ElementEventMap extends OperationsEventMap {}
  interface ShadowRootEventMap extends OperationsEventMap {}
  interface DocumentEventMap extends OperationsEventMap {}
  interface WindowEventMap extends OperationsEventMap {}
  interface HTMLElementTagNameMap {
    'payment-operations': PaymentOperations;
  }
}
