// The problems that the addresses of the element answer, by the last part of their `type`.

/** @import { TestAddress, TestMoney, TestProblem } from '../types/testing.js' */

/**
 * @typedef {{
 *   status: number, title: string, detail: string, money: TestMoney, at: readonly TestAddress[], retryAfter?: number,
 *   named?: boolean, more?: Record<string, unknown>,
 * }} Problem `named` has the numbers of an operation; `more` are further members
 */

const START = /** @type {const} */ (['start']);
const BEGINNINGS = /** @type {const} */ (['start', 'live']);
const EVERYWHERE = /** @type {const} */ (['start', 'status', 'cancel', 'live']);
const MESSAGES = [{ locale: 'es_PE', value: 'Este pago no se puede hacer ahora.' }];

/** @type {Readonly<Record<TestProblem, Problem>>} */
export const PROBLEMS = Object.freeze({
  'bad-request': {
    status: 400, money: 'nothing_charged', at: BEGINNINGS, title: 'The request cannot be read',
    detail: 'The body is no JSON object.',
  },
  'field-not-allowed': {
    status: 400, money: 'nothing_charged', at: BEGINNINGS, title: 'A field is not allowed here',
    detail: 'The body has a field that a browser must not set.', more: { field: 'amount' },
  },
  'redirect-url-not-allowed': {
    status: 400, money: 'nothing_charged', at: START, title: 'The redirect URL is not allowed',
    detail: 'The redirect URL leads to none of the shop\'s own pages.',
    more: { field: 'payment_method.method_details.redirect_url' },
  },
  'idempotency-key-required': {
    status: 400, money: 'nothing_charged', at: START, title: 'The idempotency key is missing',
    detail: 'Send the header Idempotency-Key.',
  },
  'cross-site-request': {
    status: 403, money: 'nothing_charged', at: ['start', 'cancel', 'live'], title: 'The request came from another site',
    detail: 'A page of another site sent this request.',
  },
  'order-token-refused': {
    status: 403, money: 'nothing_charged', at: BEGINNINGS, title: 'The signed order is refused',
    detail: 'The signed order permits no payment: it has expired.', more: { field: 'order', reason: 'expired' },
  },
  'not-found': {
    status: 404, money: 'unknown', at: EVERYWHERE, title: 'Not found',
    detail: 'There is nothing here for this session.',
  },
  'order-paid': {
    status: 409, money: 'may_be_paid', at: ['start', 'cancel'], named: true, title: 'The order is paid',
    detail: 'This order is paid; there is nothing more to pay.',
  },
  'payment-reversed': {
    status: 409, money: 'nothing_charged', at: START, named: true, title: 'The payment was reversed',
    detail: 'The first code was paid late, and that payment was given back.',
  },
  'operation-unconfirmed': {
    status: 409, money: 'may_be_paid', at: START, named: true, retryAfter: 5, title: 'The first code is not confirmed',
    detail: 'It is not certain how the first code of this order ended.',
  },
  'operation-live': {
    status: 409, money: 'may_be_paid', at: START, named: true, title: 'The order has a live operation',
    detail: 'Name the live operation in Checkout-Replaces to end it for another method.',
  },
  'order-may-be-paid': {
    status: 409, money: 'may_be_paid', at: START, title: 'The order may be paid already',
    detail: 'The server was restored from a backup, and this order may have been paid since. Do not pay it again: ask the shop.',
  },
  'request-running': {
    status: 409, money: 'unknown', at: BEGINNINGS, retryAfter: 1, title: 'The request is still running',
    detail: 'This attempt is still being worked on; repeat the request with the same Idempotency-Key.',
  },
  'cannot-cancel-now': {
    status: 409, money: 'may_be_paid', at: ['cancel'], retryAfter: 1, title: 'The operation cannot be cancelled now',
    detail: 'The state of this payment is still being confirmed, so it cannot be cancelled now; ask again.',
  },
  'method-not-offered': {
    status: 422, money: 'nothing_charged', at: START, title: 'The method is not offered',
    detail: 'This order cannot be paid by this method.',
    more: {
      field: 'payment_method.method_name',
      ...{ method: 'QR', reason: 'setting', least: null, most: null },
      ...{ currency: 'PEN', methods: ['INSTALLMENT'] },
    },
  },
  'idempotency-key-reused': {
    status: 422, money: 'nothing_charged', at: START, title: 'The idempotency key was used',
    detail: 'This key belongs to another request.',
  },
  'authorization-refused': {
    status: 422, money: 'unknown', at: START, title: 'The payment service refused the authorization',
    detail: 'The payment service refused this payment. Try another method or ask the shop.',
    more: { service_status: 400, messages: MESSAGES },
  },
  'too-many-operations': {
    status: 422, money: 'nothing_charged', at: START, title: 'The order had too many attempts',
    detail: 'The order had twenty attempts.', more: { messages: MESSAGES },
  },
  'order-closed': {
    status: 422, money: 'nothing_charged', at: START, title: 'The order is closed',
    detail: 'The shop closed this order.', more: { messages: MESSAGES },
  },
  'code-refused': {
    status: 422, money: 'nothing_charged', at: START, title: 'The code is not for the order',
    detail: 'The QR of the payment service is not for this order.', more: { messages: MESSAGES },
  },
  'order-changed': {
    status: 422, money: 'may_be_paid', at: BEGINNINGS, title: 'The order has other facts',
    detail: 'A payment of this order began with another amount.',
  },
  'too-many-requests': {
    status: 429, money: 'nothing_charged', at: ['start', 'status', 'live'], retryAfter: 2, title: 'Too many requests',
    detail: 'This session asks too often.',
  },
  internal: {
    status: 500, money: 'unknown', at: EVERYWHERE, retryAfter: 1, title: 'The server failed',
    detail: 'Something broke on the server.',
  },
  'shop-answer': {
    status: 502, money: 'nothing_charged', at: BEGINNINGS, title: 'The shop\'s answer cannot be used',
    detail: 'The shop\'s answer about this order cannot be used.',
  },
  'payment-service-unavailable': {
    status: 503, money: 'unknown', at: ['start', 'cancel'], retryAfter: 1, title: 'The payment service is not available',
    detail: 'The payment service gave no usable answer; repeat the request with the same Idempotency-Key.',
  },
  'shop-unavailable': {
    status: 503, money: 'nothing_charged', at: BEGINNINGS, retryAfter: 1, title: 'The shop does not answer',
    detail: 'The shop does not answer about this order.',
  },
  'not-ready': {
    status: 503, money: 'unknown', at: EVERYWHERE, retryAfter: 1, title: 'The server is not ready',
    detail: 'The database does not answer now.',
  },
  'cancel-unconfirmed': {
    status: 504, money: 'unknown', at: ['cancel'], retryAfter: 1, title: 'The cancellation is not confirmed',
    detail: 'The cancellation was sent, but the payment service did not confirm it.',
  },
});
