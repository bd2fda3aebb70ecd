import type {
  Amount,
  Currency,
  MerchantCode,
  MerchantOperationNumber,
  Outcome,
  PaymentMethodName,
  TransactionId,
  TransactionState,
} from './payment-model.js';
import type { MessageKey } from './messages.js';

export type {
  Amount,
  Currency,
  MerchantCode,
  MerchantOperationNumber,
  MessageKey,
  Outcome,
  PaymentMethodName,
  TransactionId,
  TransactionState,
};

/** The screen that the payer sees: see `PaymentCheckout.state`. */
export type CheckoutState =
  | 'loading'
  | 'choosing'
  | 'authorizing'
  | 'pending'
  | 'checking'
  | 'overdue'
  | 'cancelling'
  | 'failed'
  | Outcome;

/** The codes of errors: a closed list. */
export type CheckoutErrorCode =
  | 'network'
  | 'server'
  | 'refused'
  | 'not-found'
  | 'amount-mismatch'
  | 'qr-image'
  | 'continue-url'
  | 'configuration'
  | 'load'
  | 'crash';

/** The detail of `checkout-pending` and `checkout-status`: an operation as in the merchant's
 * server's last answer. */
export interface StatusDetail {
  merchantCode: MerchantCode;
  merchantOperationNumber: MerchantOperationNumber;
  /** `null` while the service has not named one. */
  transactionId: TransactionId | null;
  method: PaymentMethodName;
  state: TransactionState;
  amount: Amount;
  currency: Currency;
}

/** The detail of `checkout-result`: how an operation ended, on the server's word. */
export interface ResultDetail extends StatusDetail {
  outcome: Outcome;
  /** The outcome that this one corrects: a payment that landed late, or was reversed. */
  previous: Outcome | null;
  /** Other operations of the same order, from this page. */
  superseded: MerchantOperationNumber[];
  /** The page did not see it happen: it was so when the page was opened. */
  resumed: boolean;
  /** Another operation of the order is paid too; one of the payments will be given back. */
  paidTwice: boolean;
}

/** The detail of `checkout-redirect`. */
export interface RedirectDetail {
  /** The address that the payer is about to open: https, and one of `redirect-hosts` if these are given. */
  url: string;
}

/** The detail of `checkout-error`. */
export interface ErrorDetail {
  code: CheckoutErrorCode;
  /** True when trying again makes sense. */
  retryable: boolean;
}

/** The events of `<payment-checkout>`. All bubble, and cross shadow roots. */
export interface CheckoutEventMap {
  /** The element works. */
  'checkout-ready': CustomEvent<null>;
  /** An operation waits for the payer. */
  'checkout-pending': CustomEvent<StatusDetail>;
  /** The payer is about to be led to another site; `preventDefault()` keeps them here. */
  'checkout-redirect': CustomEvent<RedirectDetail>;
  /** The server answered another state. */
  'checkout-status': CustomEvent<StatusDetail>;
  /** The server answered how it ended; once an operation and outcome. */
  'checkout-result': CustomEvent<ResultDetail>;
  /** Something is wrong. */
  'checkout-error': CustomEvent<ErrorDetail>;
}

/** Texts in place of the built-in ones, by key. */
export type Messages = Partial<Record<MessageKey, string>>;

/** The attributes of `<payment-checkout>`, by name. */
export interface CheckoutAttributes {
  /** The address of the merchant's server, as in `/api`. */
  'base-url'?: string | null | undefined;
  /** The address to authorize at, if not `{base-url}/charges`. */
  'authorize-url'?: string | null | undefined;
  /** The address to ask for the state, with the names of the numbers in braces. */
  'status-url'?: string | null | undefined;
  /** The address to cancel at, with the names of the numbers in braces. */
  'cancel-url'?: string | null | undefined;
  /** Methods on offer, in order, separated by spaces; `QR INSTALLMENT` if absent. */
  methods?: string | null | undefined;
  /** The page's price, in whole cents; together with `currency`. */
  amount?: string | null | undefined;
  /** ISO 4217. */
  currency?: string | null | undefined;
  /** The name of the merchant. */
  'merchant-name'?: string | null | undefined;
  /** The name that the payer's wallet shows, when it differs. */
  'payee-name'?: string | null | undefined;
  /** The shop's name for the order, as the payer knows it. */
  'order-label'?: string | null | undefined;
  /** The address to which the lender returns the payer; the page itself if absent. */
  'redirect-url'?: string | null | undefined;
  /** The only hosts that the payer may be led to, separated by spaces. */
  'redirect-hosts'?: string | null | undefined;
  /** With `merchant-operation-number`: shows an operation that exists. */
  'merchant-code'?: string | null | undefined;
  'merchant-operation-number'?: string | null | undefined;
  'transaction-id'?: string | null | undefined;
  /** `es-PE`, `en` or `pt-BR`; the nearest `lang` if absent. */
  locale?: string | null | undefined;
}

/** `<payment-checkout>`: takes a payment through the merchant's own server. */
export class PaymentCheckout extends HTMLElement {
  baseUrl: string | null;
  authorizeUrl: string | null;
  statusUrl: string | null;
  cancelUrl: string | null;
  methods: string | null;
  amount: string | null;
  currency: string | null;
  merchantName: string | null;
  payeeName: string | null;
  orderLabel: string | null;
  redirectUrl: string | null;
  redirectHosts: string | null;
  merchantCode: string | null;
  merchantOperationNumber: string | null;
  transactionId: string | null;
  locale: string | null;

  /** The merchant's own fields of the authorize body, such as `{ order_id: '1001' }`. */
  request: object | undefined;

  /** Texts in place of the built-in ones, by key. */
  messages: Messages | undefined;

  /** The screen that the payer sees. */
  readonly state: CheckoutState;

  /** Asks the payer to confirm the cancellation of the waiting operation. */
  cancel(): void;

  /** Repeats the failed step, or asks for a new code. */
  retry(): void;

  /** The detail of this checkout's first `checkout-result`, however long it takes. */
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
  addEventListener(
    type: string,
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
  interface HTMLElementEventMap extends CheckoutEventMap {}
  interface DocumentEventMap extends CheckoutEventMap {}
  interface HTMLElementTagNameMap {
    'payment-checkout': PaymentCheckout;
  }
}
