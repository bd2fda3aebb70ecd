import type { StartDetail } from './events.js';

/** `checkout-start`: before each new attempt to pay, never before a repetition of one. `preventDefault()` prevents it. */
export interface CheckoutStartEvent extends CustomEvent<StartDetail> {
  /**
   * Delays the attempt until the promise is fulfilled, for at most 15 seconds. A `request`, `order`, `amount` and `currency` that
   * are set until then belong to this attempt. If the promise is rejected, the attempt does not begin: the payer reads the text
   * of a `PageRefusal`, and our own for any other reason, which `checkout-error` has with the code `page`.
   */
  waitUntil(promise: Promise<unknown>): void;
}

/** Why your page does not begin an attempt, in words for the payer, who reads them as plain text. */
export class PageRefusal extends Error {}
