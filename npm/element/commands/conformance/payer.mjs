// The requests of a payer's browser, as the element sends them.

import { randomUUID } from 'node:crypto';
import { expect, isRefusal, pause } from './expectations.mjs';

const EXCERPT = 300;

/** What the server answered; the status 0 stands for no answer. */
export class Answer {
  /** @param {number} status @param {Headers} headers @param {string} text @param {number} ms how long it took */
  constructor(status, headers, text, ms) {
    this.status = status;
    this.headers = headers;
    this.text = text;
    this.ms = ms;
    /** @type {any} */
    this.body = undefined;
    try {
      this.body = JSON.parse(text);
    } catch {
      // A body that cannot be read stays undefined.
    }
  }

  /** The last part of the problem's `type`. */
  get problem() {
    const type = this.body?.type;
    return typeof type === 'string' ? (type.split(/[:/#]/).at(-1) ?? '') : '';
  }

  /** The states of the operation and of its transaction, whichever the body has. */
  get states() {
    const { operation, transaction } = this.body ?? {};
    const all = [operation?.transactions?.[0]?.state, transaction?.state, operation?.state];
    return all.filter((state) => typeof state === 'string');
  }

  /** The transaction of an answer to a start, a question or a cancellation. */
  get transaction() {
    return this.body?.transaction ?? this.body?.operation?.transactions?.[0];
  }

  /** The numbers of the operation, also in a problem. */
  get operation() {
    const { merchant_code, merchant_operation_number, operation, transaction_id } = this.body ?? {};
    return {
      code: merchant_code,
      number: merchant_operation_number ?? operation?.merchant_operation_number,
      transaction: transaction_id ?? this.transaction?.transaction_id,
    };
  }

  /** @param {string} name */
  header(name) {
    return this.headers.get(name) ?? '';
  }

  toString() {
    if (this.status === 0) return `no answer (${this.text})`;
    const number = this.operation.number ? `, operation ${this.operation.number}` : '';
    if (this.problem) {
      const { detail, reason } = this.body;
      const words = excerpt([detail, reason && `(${reason})`].filter(Boolean).join(' '));
      return `${this.status} ${this.problem}${words ? `: ${words}` : ''}${number}`;
    }
    const states = [...new Set(this.states)];
    if (states.length > 0) return `${this.status} with the state ${states.join(' and ')}${number}`;
    return `${this.status} ${excerpt(this.text) || 'without a body'}`;
  }
}

/** The beginning of a text, in one line. @param {string} text */
export const excerpt = (text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, EXCERPT);

/** A part of an answer, with the beginning of long texts such as pictures. @param {unknown} value */
const part = (value) => excerpt(JSON.stringify(value, (_, each) => (typeof each === 'string' ? each.slice(0, 40) : each)));

/**
 * What a payer meets: the shop and the limits of the run.
 * @typedef {object} Surroundings
 * @property {string} method the method that payers choose where a check names none
 * @property {string} redirectUrl
 * @property {number} timeoutMs how long a payer waits for what has to come
 * @property {AbortSignal} signal
 * @property {{start: string, live: string, status: (operation: Operation) => string, cancel: (operation: Operation) => string}} addresses
 * @property {Answer[]} heard every answer that came to a browser
 * @property {(number: string) => void} remember takes the number of an operation that waits
 */

/**
 * @typedef {object} Operation
 * @property {string} code
 * @property {string} number
 * @property {string} transaction
 */

/**
 * @typedef {object} Start
 * @property {string} [key]
 * @property {string} [method]
 * @property {string} [replaces] the operation that the payer leaves
 * @property {string} [redirectUrl]
 * @property {object} [more] fields of the body beside those of the element
 * @property {object} [details] fields of `method_details` beside those of the element
 * @property {Record<string, string>} [headers]
 */

/** Whether the payer pays elsewhere and comes back, so that a start needs `redirect_url`. @param {string} method */
export const leadsAway = (method) => method === 'INSTALLMENT' || method === 'BANK_TRANSFER';

/** Starts that take longer are lost for a payer, too. */
const PATIENCE_MS = 30_000;
/** Longer pauses that the server asks for are cut: a run has an end. */
const LONGEST_PAUSE_MS = 5_000;
const SHORTEST_PAUSE_MS = 200;

/** A payer with an order. */
export class Payer {
  /** @type {Map<string, string>} */
  #cookies = new Map();

  /**
   * @param {Surroundings} shop
   * @param {{request: object, amount: string, currency: string, hasCookie: boolean}} order
   * @param {string} [cookie] the header `Cookie` of the payer's session
   */
  constructor(shop, order, cookie = '') {
    this.shop = shop;
    this.order = order;
    for (const pair of cookie.split(';')) this.#keep(pair);
  }

  /** Whether the server knows this payer again by a cookie. */
  get hasSession() {
    return this.#cookies.size > 0;
  }

  /** Somebody who knows the numbers and nothing else. */
  stranger() {
    return new Payer(this.shop, this.order);
  }

  /** This payer's session with the request of another one's order. @param {Payer} other */
  withOrderOf(other) {
    const thief = new Payer(this.shop, other.order);
    thief.#cookies = new Map(this.#cookies);
    return thief;
  }

  /** Sends a start once. @param {Start} [start] */
  start({ key = randomUUID(), method = this.shop.method, replaces, redirectUrl, more, details, headers } = {}) {
    const url = redirectUrl ?? this.shop.redirectUrl;
    const back = leadsAway(method) ? { redirect_url: url } : {};
    return this.#send('POST', this.shop.addresses.start, {
      headers: {
        ...(key ? { 'Idempotency-Key': `"${key}"` } : {}),
        ...(replaces ? { 'Checkout-Replaces': `"${replaces}"` } : {}),
        ...headers,
      },
      body: {
        ...this.order.request,
        payment_method: { method_name: method, method_details: { ...back, ...details } },
        ...more,
      },
    });
  }

  /**
   * Sends the very same start again until its outcome is known, as the element does.
   * @param {Start & {first?: Answer}} start
   */
  async startUntilKnown({ first, ...start }) {
    const end = performance.now() + this.shop.timeoutMs;
    const same = { key: randomUUID(), ...start };
    for (let answer = first; ; ) {
      answer ??= await this.start(same);
      const isKnown = answer.status === 200 || isRefusal(answer);
      if (isKnown || performance.now() > end) return answer;
      await this.#waitAsAsked(answer);
      answer = undefined;
    }
  }

  /** Starts a payment that waits for its payer. @param {Start} [start] @returns {Promise<Operation>} */
  async starts(start = {}) {
    const answer = await this.startUntilKnown(start);
    expect(answer.status === 200, `200 for the start of a payment by ${start.method ?? this.shop.method}`, answer);
    const { body, transaction } = answer;
    expect(body, 'JSON with the start of a payment', excerpt(answer.text) || 'an empty body');
    expect(transaction, 'the member transaction in the answer to the start', excerpt(answer.text));
    const seen = `"transaction": ${part(transaction)}`;
    expect(answer.states.includes('PENDIENTE'), 'the state PENDIENTE in the transaction of the answer to the start', seen);
    expect(transaction.transaction_id, 'transaction_id in the transaction of the answer to the start', seen);
    const { code, number } = answer.operation;
    const { transaction: _, ...rest } = body;
    expect(code && number, 'merchant_code and merchant_operation_number beside the transaction', part(rest));
    this.shop.remember(answer.operation.number);
    return answer.operation;
  }

  /**
   * Asks for the state.
   * @param {Operation} operation
   * @param {{wait?: number, etag?: string, query?: string, headers?: Record<string, string>}} [how]
   */
  status(operation, { wait, etag, query = '', headers } = {}) {
    return this.#send('GET', this.shop.addresses.status(operation) + query, {
      headers: {
        ...(wait ? { Prefer: `wait=${wait}` } : {}),
        ...(etag ? { 'If-None-Match': etag } : {}),
        ...headers,
      },
    });
  }

  /** Asks until the answer is accepted, and returns the last one. @param {Operation} operation @param {(answer: Answer) => boolean} accepts */
  async statusUntil(operation, accepts) {
    const end = performance.now() + this.shop.timeoutMs;
    for (;;) {
      const answer = await this.status(operation);
      if (accepts(answer) || performance.now() > end) return answer;
      await this.#waitAsAsked(answer);
    }
  }

  /** @param {Operation} operation @param {Record<string, string>} [headers] */
  cancel(operation, headers = {}) {
    return this.#send('DELETE', this.shop.addresses.cancel(operation), { headers });
  }

  /** Asks which operation the order has, as a tab does that remembers none. */
  live() {
    return this.#send('POST', this.shop.addresses.live, { headers: {}, body: this.order.request });
  }

  /** @param {Answer} answer */
  #waitAsAsked(answer) {
    const asked = Number(answer.header('retry-after')) * 1000 || 0;
    return pause(Math.min(Math.max(asked, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS), this.shop.signal);
  }

  /**
   * @param {string} method @param {string} address
   * @param {{headers: Record<string, string>, body?: object}} content
   */
  async #send(method, address, { headers, body }) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const request = {
      method,
      redirect: /** @type {const} */ ('manual'),
      signal: AbortSignal.any([this.shop.signal, AbortSignal.timeout(PATIENCE_MS)]),
      headers: {
        Accept: 'application/json',
        ...(cookie ? { Cookie: cookie } : {}),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
    for (let end = performance.now() + PATIENCE_MS; ; ) {
      const started = performance.now();
      let answer;
      try {
        const response = await fetch(address, request);
        const text = await response.text();
        for (const line of response.headers.getSetCookie()) this.#keep(line.split(';')[0] ?? '');
        answer = new Answer(response.status, response.headers, text, performance.now() - started);
      } catch (error) {
        this.shop.signal.throwIfAborted();
        answer = new Answer(0, new Headers(), reason(error), performance.now() - started);
      }
      this.shop.heard.push(answer);
      // A limit of the server makes a run longer, and is no answer to what a check asks.
      if (answer.status !== 429 || performance.now() > end) return answer;
      await this.#waitAsAsked(answer);
    }
  }

  /** @param {string} pair */
  #keep(pair) {
    const at = pair.indexOf('=');
    if (at > 0) this.#cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
  }
}

/** Why a request got no answer. @param {unknown} error */
export function reason(error) {
  const { message, cause } = /** @type {Error & {cause?: {code?: string, message?: string}}} */ (error);
  return cause?.code ?? cause?.message ?? message;
}
