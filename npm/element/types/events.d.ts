// Printed by `cargo xtask print` from the Rust that declares it; do not edit.

import type { OfferedMethod } from './attributes.js';
import type { CheckoutStartEvent } from './start.js';
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

/** The kind of the screen that the payer sees. */
export type CheckoutState =
  /** The element is loading, or not in the page. */
  | 'loading'
  /** The methods are on offer. */
  | 'choosing'
  /** Your page or your server prepares the operation. */
  | 'authorizing'
  /** A code, a link or an instruction waits for the payer. */
  | 'pending'
  /** The checkout asks your server, or your server's answer is not an end yet. */
  | 'checking'
  /** A minute after the deadline your server still waits; a late payment may arrive. Until then it is `checking`. */
  | 'overdue'
  /** A cancellation is under way. */
  | 'cancelling'
  /** Your server answered that it is paid. */
  | 'paid'
  /** Your server answered that the processor declined it. */
  | 'declined'
  /** Your server answered that the service could not use it. */
  | 'invalid'
  /** Your server answered that it is canceled. */
  | 'cancelled'
  /** Your server answered that its deadline has passed. */
  | 'expired'
  /** Your server answered that it was paid and given back. */
  | 'reversed'
  /** It cannot go on by itself; the error has the reason. */
  | 'failed';

/** The codes of errors: a closed list. */
export type CheckoutErrorCode =
  /** Your server cannot be reached. */
  | 'network'
  /** Your server fails, or answers nonsense. */
  | 'server'
  /** Your server refuses the request; the console has its reason. */
  | 'refused'
  /** The order may be paid already, as your server says, so it takes no payment now. */
  | 'may-be-paid'
  /** No method of your page is offered for this order: your server does not take it by any of them, or the signed order leaves them out. */
  | 'no-method'
  /** This payer has no operation with the numbers that your page gave, or for two minutes your server has not found a payment that it had shown before. */
  | 'not-found'
  /** The authorized amount differs from the page's price. */
  | 'amount-mismatch'
  /** The service's code is not a sound picture. */
  | 'qr-image'
  /** The service's address is not safe to follow, or its host is none of the redirect hosts of your page. */
  | 'continue-url'
  /** Your page did not begin the payment: what its start waited for failed, or took more than 15 seconds. */
  | 'page'
  /** A setting of your page is missing or wrong; the console names it. */
  | 'configuration'
  /** The wasm could not be loaded within a minute; or the files on the server are newer than the page; or the wasm cannot run here, without WebAssembly or without `'wasm-unsafe-eval'` in the policy. */
  | 'load'
  /** The wasm stopped again and again; the payment is safe with your server, and a reload shows its state. */
  | 'crash';

/** The decisions of a payer: a closed list. */
export type CheckoutAction =
  /** Chose a method. */
  | 'method-chosen'
  /** Wanted another method. While a code or a link waits, the payer is asked first. */
  | 'another-way'
  /** Wanted to cancel, and is asked. */
  | 'cancel-asked'
  /** Was asked whether to leave a code or a link that waits, and stayed. `method` is that of the code. */
  | 'kept'
  /** Confirmed the cancellation, of either wish. */
  | 'cancel-confirmed'
  /** Tried again, or asked for a new code. */
  | 'retried'
  /** Chose another method than that of a code that waits, in another tab or on another device, and went back to that code. `method` is that of the code. */
  | 'live-shown'
  /** Gave that code up. `method` is that of the code. */
  | 'live-replaced'
  /** Saved the code as a picture. */
  | 'code-saved'
  /** Shared the code. */
  | 'code-shared';

/** An operation, as in the merchant's server's last answer. */
export interface StatusDetail {
  /** Your code at the payment service. */
  merchantCode: MerchantCode;
  /** The number of the attempt, which payers see; text, and leading zeros count. */
  merchantOperationNumber: MerchantOperationNumber;
  /** The service's id of the transaction, or `null` until the service named one. */
  transactionId: TransactionId | null;
  /** As in `methods`. */
  method: PaymentMethodName;
  /** The service's word: `REGISTRADO`, `PENDIENTE`, `AUTORIZADO`, `LIQUIDADO`, `DENEGADO`, `INVALIDO`, `CANCELADO`, `EXPIRADO`, `EXTORNADO`, or a new one. */
  state: TransactionState;
  /** Text, as the service answered: whole cents. */
  amount: Amount;
  /** ISO 4217, letters or digits, as the service answered. */
  currency: Currency;
}

/** How an operation ended, on the server's word. */
export interface ResultDetail extends StatusDetail {
  /** `paid`, `declined`, `invalid` (the service could not use it), `cancelled`, `expired` or `reversed` (paid and given back). */
  outcome: Outcome;
  /** The outcome that this one corrects, or `null`. Unpaid becomes paid when a late payment arrives, paid becomes reversed, reversed becomes paid where your server says that this operation pays the order (`order-paid`), and nothing else changes. */
  previous: Outcome | null;
  /** The numbers of other operations of the order that this page knows. */
  superseded: MerchantOperationNumber[];
  /** Whether it had ended before this page saw it wait, as after a reload. */
  resumed: boolean;
  /** Whether another operation of the order is paid too, so that one payment has to be given back. */
  paidTwice: boolean;
}

/** The attempt that is about to begin. The element's script dispatches it. */
export interface StartDetail {
  /** Its method. */
  method: OfferedMethod;
}

/** Where the payer is. */
export interface ChooseDetail {
  /** The method of the last attempt, or `null`. */
  method: OfferedMethod | null;
  /** Why it is not offered for this order, in words for the payer, or `null`. */
  reason: string | null;
}

/** Where the payer is about to be led. */
export interface RedirectDetail {
  /** The address: https, and one of `redirect-hosts` where these are set; or `paid-url`. */
  url: string;
}

/** The screen that the payer sees. The element's script dispatches it. */
export interface StateDetail {
  /** The present screen. */
  state: CheckoutState;
  /** The one before. */
  previous: CheckoutState;
}

/** What the payer decided. */
export interface ActionDetail {
  /** What the payer did. */
  action: CheckoutAction;
  /** The method that it is about, or `null`. */
  method: PaymentMethodName | null;
}

/** What is wrong. */
export interface ErrorDetail {
  /** One of the codes below. */
  code: CheckoutErrorCode;
  /** Whether trying again makes sense. */
  retryable: boolean;
  /** A sentence for your log, as in `refused: POST /api/charges answered 404`; for an answer that breaks the contract it names the field: `server: POST /api/charges answered 200: the field transaction.amount breaks the contract`. Payers never see it. */
  message: string;
  /** The HTTP status of the answer, or `null`. */
  status: number | null;
  /** The `type` of the problem in it (server.md), or `null`. */
  problem: string | null;
  /** Its `X-Request-Id`, by which your server's log knows the request, or `null`. */
  requestId: string | null;
}

/** The events of `<payment-checkout>`. All bubble, and cross shadow roots. */
export interface CheckoutEventMap {
  /** The element works; again for another checkout. */
  'checkout-ready': CustomEvent<null>;
  /** Before each new attempt to pay, never before a repetition of one. `preventDefault()` prevents it, `waitUntil(promise)` delays it: see The order at the press. */
  'checkout-start': CheckoutStartEvent;
  /** With `hide-choice`: the payer is back where the choice would be. */
  'checkout-choose': CustomEvent<ChooseDetail>;
  /** An operation waits for the payer; once an operation, and again after the element was put back. */
  'checkout-pending': CustomEvent<StatusDetail>;
  /** Before the page goes to another site, or to `paid-url`. `preventDefault()` keeps the payer here, with a link on the screen. */
  'checkout-redirect': CustomEvent<RedirectDetail>;
  /** Your server answered a state that is no end: the first one, and each change. An end is only a `checkout-result`. */
  'checkout-status': CustomEvent<StatusDetail>;
  /** Your server answered how it ended; once an operation, outcome and page. */
  'checkout-result': CustomEvent<ResultDetail>;
  /** The payer sees another screen; every `state` has it. */
  'checkout-state': CustomEvent<StateDetail>;
  /** The payer decided something, for your analytics; a press without an effect is none. */
  'checkout-action': CustomEvent<ActionDetail>;
  /** Something is wrong. It may be older than your listener, so look at `state` too. */
  'checkout-error': CustomEvent<ErrorDetail>;
}
