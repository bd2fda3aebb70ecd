// What a merchant's server answers, as the contract has it (`openapi.yaml`). No state is kept here: the same operation
// gives the same answer. `server.mjs` decides which answer is due.

import { PROBLEMS } from './problems.mjs';

/** @import { TestAnswer, TestMoney, TestOffer, TestOperation, TestProblem, TestStatusFacts } from '../types/testing.js' */

/** The payment service's word for each state. `confirming` stands for every word that a server does not tell. */
export const STATES = Object.freeze({
  pending: 'PENDIENTE',
  paid: 'AUTORIZADO',
  settled: 'LIQUIDADO',
  declined: 'DENEGADO',
  invalid: 'INVALIDO',
  cancelled: 'CANCELADO',
  expired: 'EXPIRADO',
  reversed: 'EXTORNADO',
  confirming: 'POR_CONFIRMAR',
});

/** The states that the payer has paid to reach. */
const AFTER_PAYMENT = ['settled', 'reversed'];

/** A code that says when it is scanned that it cannot be paid. */
const QR_IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAIQAAACEAQAAAAB5P74KAAAAxUlEQVR42u1WUQrDUAySXsD739IbZJrSjxUGY+6z4VFCoPJiNC3mFsJTea8AIOQsyejAPb6pGIc+AdikwQH9Oh2blDiDv+CYnGlxfCSx5Sdj2ijntfPnJYnfcbTkDBS4hh+r0NehwKovKTxzJ1bh+D44e2PDj40V/aQpTMVPTOqpq8SZiEfmWfW8liZ1/GTss411/kowfvez9de5NDC13xm7U1Pun+Cs3fu9qlVAi4N8Mfp9yN0f7PzlewirRrX6ef4KPlRe4bABz6HRqJwAAAAASUVORK5CYII=';

const META = { status: { code: '00', message_ilgn: [{ locale: 'es_PE', value: 'Procesado correctamente' }] } };
const DONE = { code: '0', description: 'Procesado' };

/** The values of an operation that a test does not name. Its code is fifteen minutes old at its deadline. */
const filled = (/** @type {TestOperation} */ operation) => {
  const startedAt = operation.startedAt ?? Date.now();
  return {
    merchantCode: '100000001',
    merchantOperationNumber: '250207000001',
    transactionId: 'test-000001',
    method: /** @type {const} */ ('QR'),
    state: /** @type {const} */ ('pending'),
    amount: '12990',
    currency: 'PEN',
    startedAt,
    changedAt: startedAt,
    expiresAt: startedAt + 15 * 60_000,
    ...operation,
  };
};

/** The answer to `POST /charges` where a payment begins, or was begun by the same key. */
export function started(/** @type {TestOperation} */ operation) {
  const { merchantCode, merchantOperationNumber, ...rest } = filled(operation);
  const transaction = transactionOf({ ...rest, merchantCode, merchantOperationNumber });
  return answer(200, {
    success: 'true',
    action: 'authorize',
    merchant_code: merchantCode,
    merchant_operation_number: merchantOperationNumber,
    transaction,
    meta: META,
  });
}

/** The answer of the status address, and that of `live-url` where the order has an operation. */
export function status(/** @type {TestOperation} */ operation, /** @type {TestStatusFacts} */ facts = {}) {
  const body = JSON.stringify({ success: true, ...described(operation) });
  const { state } = filled(operation);
  const headers = {
    vary: 'prefer',
    etag: `"${hash(state)}.${hash(body)}"`,
    ...(facts.age && { age: String(facts.age) }),
    ...(facts.held && { 'preference-applied': 'wait' }),
    ...(facts.orderState && { 'order-state': facts.orderState }),
    ...(facts.end && { 'operation-end': facts.end }),
  };
  if (facts.known === headers.etag) return answer(304, '', headers);
  return answer(200, body, headers);
}

/** The answer to `DELETE /charges/…`: the operation, which has ended. */
export function cancelled(/** @type {TestOperation} */ operation) {
  const ended = { ...operation, state: operation.state ?? /** @type {const} */ ('cancelled') };
  const { merchantOperationNumber } = filled(ended);
  return answer(200, { success: true, merchant_operation_number: merchantOperationNumber, ...described(ended) });
}

/** The answer of `live-url` where the order has no operation, and can be paid by every method of the server. */
export const nothing = () => answer(204, '');

/** The answer of `live-url` where the order has no operation, and cannot be paid by some of the server's methods. */
export const offer = (/** @type {TestOffer} */ { currency, methods, notOffered }) => answer(200, { currency, methods, not_offered: notOffered });

/**
 * A problem by its name, the last part of its `type`. Those that speak of an operation have its numbers. `members` are added,
 * or replace some: `{ money: 'nothing_charged' }` where a server knows more of the money than it usually does.
 */
export function problem(
  /** @type {TestProblem} */ name,
  /** @type {TestOperation} */ operation = {},
  /** @type {Record<string, unknown> & { money?: TestMoney | undefined }} */ members = {},
) {
  const { title, status: code, detail, money, retryAfter, named, more } = PROBLEMS[name];
  const { merchantCode, merchantOperationNumber, transactionId, method } = filled(operation);
  const body = {
    type: `urn:payment-checkout:problem:${name}`,
    title,
    status: code,
    detail,
    money,
    // One for all, so that a test can compare whole answers.
    trace_id: '0af7651916cd43dd8448eb211c80319c',
    ...(named && {
      merchant_code: merchantCode,
      merchant_operation_number: merchantOperationNumber,
      transaction_id: transactionId,
    }),
    ...(name === 'operation-live' && { method_name: method }),
    ...more,
    ...members,
  };
  /** @type {Record<string, string>} */
  const headers = retryAfter ? { 'retry-after': String(retryAfter) } : {};
  return answer(code, body, { 'content-type': 'application/problem+json', ...headers });
}

/** A page in place of JSON, as a broken proxy answers. */
export const unreadable = () => answer(200, '<p>Elsewhere</p>', { 'content-type': 'text/html' });

/**
 * @param {number} code
 * @param {unknown} body
 * @param {Record<string, string>} headers
 * @returns {TestAnswer}
 */
function answer(code, body, headers = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status: code,
    headers: {
      ...(text && { 'content-type': 'application/json' }),
      date: new Date().toUTCString(),
      'cache-control': 'no-store',
      vary: 'origin',
      'x-request-id': 'TestServer',
      ...headers,
    },
    body: text,
  };
}

function described(/** @type {TestOperation} */ operation) {
  const { merchantCode, merchantOperationNumber, state, amount, currency, startedAt } = filled(operation);
  return {
    merchant_code: merchantCode,
    operation: {
      merchant_operation_number: merchantOperationNumber,
      state: STATES[state],
      created_at: instant(startedAt),
      amount,
      currency,
      transactions: [transactionOf(operation)],
    },
    meta: META,
  };
}

function transactionOf(/** @type {TestOperation} */ operation) {
  const { transactionId, method, state, amount, currency, startedAt, changedAt, expiresAt, continueUrl, reason } = filled(operation);
  const isPending = state === 'pending';
  const details = operation.redirectUrl ? { redirect_url: operation.redirectUrl } : {};
  /** @type {[string, number][]} */
  const passed = [['REGISTRADO', startedAt], [STATES.pending, startedAt]];
  if (AFTER_PAYMENT.includes(state)) passed.push([STATES.paid, changedAt]);
  if (!isPending && state !== 'confirming') passed.push([STATES[state], changedAt]);
  return {
    transaction_id: transactionId,
    channel: 'ecommerce',
    state: STATES[state],
    state_reason: reason ?? '',
    amount,
    currency,
    payment_method: { method_name: method, method_details: details },
    continue_url: isPending ? (continueUrl ?? CONTINUES[method] ?? null) : null,
    expiration_date: isPending ? instant(expiresAt) : null,
    processor_response: operation.processorResponse ?? processor(method, state, changedAt),
    additional_fields: null,
    lifecycle: passed.map(([each, at]) => ({ state: each, date: instant(at) })),
  };
}

/** Where the payer continues, by method. Nothing answers there: a test that lets the page go there intercepts it, too. */
/** @type {Record<string, string>} */
const CONTINUES = { INSTALLMENT: 'https://lender.example/continue', BANK_TRANSFER: 'https://bank.example/continue' };

/** @returns {Record<string, unknown> | null} */
function processor(/** @type {string} */ method, /** @type {keyof typeof STATES} */ state, /** @type {number} */ at) {
  const date = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const isPending = state === 'pending';
  const isPaid = state === 'paid' || AFTER_PAYMENT.includes(state);
  if (method === 'QR' && isPending) return { date, qr_image: QR_IMAGE, qr_id: '25020712345678', result_message: DONE };
  if (method === 'QR' && isPaid) return { date, qr_id: '25020712345678', result_message: DONE };
  if (method === 'CASHCODE' && isPending) return { cip: '482193017', cip_url: 'https://agents.example/482193017', result_message: DONE };
  if (method === 'CASHCODE' && isPaid) return { cip: '482193017', payment_date: date, operationNumber: '10482', result_message: DONE };
  if (method === 'INSTALLMENT' && isPaid) return { credit_status: 'APPROVED', operation_id: '90417' };
  if (method === 'BANK_TRANSFER' && isPaid) return { origin_account: '****4417', request_id: '7731', operation_id: '88412' };
  return null;
}

const instant = (/** @type {number} */ at) => ({ utc_time: new Date(at).toISOString(), unix_time: Math.floor(at / 1000) });

/** FNV-1a: a tag needs to differ where the text differs, and nothing more. */
function hash(/** @type {string} */ text) {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return sum.toString(16).padStart(8, '0');
}
