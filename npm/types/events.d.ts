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

/** The decisions of a payer: a closed list. */
export type CheckoutAction =
  | 'method-chosen'
  | 'another-way'
  | 'cancel-asked'
  | 'cancel-confirmed'
  | 'retried'
  | 'live-shown'
  | 'live-replaced'
  | 'code-saved'
  | 'code-shared';

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

/** The detail of `checkout-state`. */
export interface StateDetail {
  state: CheckoutState;
  previous: CheckoutState;
}

/** The detail of `checkout-action`. */
export interface ActionDetail {
  action: CheckoutAction;
  /** The method that it is about, or `null`. */
  method: PaymentMethodName | null;
}

/** The detail of `checkout-error`. */
export interface ErrorDetail {
  code: CheckoutErrorCode;
  /** True when trying again makes sense. */
  retryable: boolean;
  /** For developers, in English; no text for payers. */
  message: string;
  /** The HTTP status of the answer, if one came. */
  status: number | null;
  /** The `type` of the server's problem document (RFC 9457), if there was one. */
  problem: string | null;
  /** The id of the request, by which the server's log can be searched. */
  requestId: string | null;
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
  /** The screen changed. */
  'checkout-state': CustomEvent<StateDetail>;
  /** The payer did something that analytics may want. */
  'checkout-action': CustomEvent<ActionDetail>;
  /** Something is wrong. */
  'checkout-error': CustomEvent<ErrorDetail>;
}
