// A merchant's server for tests of a page: one order, in memory, without a socket. It keeps the rules of the contract that a
// page can meet, so that a page which passes with it does not rely on a server that is kinder than a real one.

import { checkAddress, checkFault, checkMethod, checkOptions, onlyOptions } from './allowed.mjs';
import { cancelled, nothing, offer, problem, started, status, unreadable } from './answers.mjs';
import { offerOf, whyNot } from './offer.mjs';

/** @import { OfferedMethod } from '../types/attributes.js' */
/** @import { TestAddress, TestAnswer, TestFault, TestOperation, TestRequest, TestServerOptions, TestState } from '../types/testing.js' */
/** @typedef {TestOperation & { merchantOperationNumber: string, transactionId: string, state: TestState, expiresAt: number, end?: 'replaced' | 'payer' | 'staff' }} Kept */
/** @typedef {{ headers: Record<string, string>, body: string, path: string }} Read */

/** What may follow a state: an end without a payment is corrected by a late payment, and a payment by its return. */
/** @type {Record<string, readonly TestState[]>} */
const FOLLOWS = {
  pending: ['paid', 'settled', 'declined', 'invalid', 'cancelled', 'expired', 'confirming'],
  confirming: ['pending', 'paid', 'settled', 'declined', 'invalid', 'cancelled', 'expired', 'reversed'],
  declined: ['paid'],
  invalid: ['paid'],
  cancelled: ['paid'],
  expired: ['paid'],
  paid: ['settled', 'reversed'],
  settled: ['reversed'],
  reversed: [],
};

/** What a browser must not set. */
const FORBIDDEN = ['amount', 'currency', 'merchant_code', 'merchant_operation_number', 'callback_url'];

/** How long after its deadline a code is overdue. */
const OVERDUE_AFTER = 60_000;

const isPaid = (/** @type {Kept} */ { state }) => state === 'paid' || state === 'settled';

export class TestServer {
  /** @type {Required<TestServerOptions>} */
  #options;
  /** @type {Map<string, { body: string, answer: TestAnswer }>} */
  #keys = new Map();
  /** @type {{ address: TestAddress, fault: TestFault, left: number }[]} */
  #faults = [];
  /** @type {Map<TestAddress, Promise<void>>} */
  #pauses = new Map();
  /** @type {Set<() => void>} */
  #held = new Set();
  #isClosed = false;

  /** @type {Kept[]} */
  operations = [];
  /** @type {{ address: TestAddress, method: string, path: string, headers: Record<string, string>, body: string }[]} */
  requests = [];

  constructor(/** @type {TestServerOptions} */ options = {}) {
    checkOptions(options);
    const methods = options.methods ?? /** @type {const} */ (['QR', 'INSTALLMENT']);
    this.#options = {
      baseUrl: '/api',
      amount: '12990',
      currency: 'PEN',
      merchantCode: '100000001',
      methods,
      orderMethods: methods,
      limits: {},
      expiresIn: 15 * 60,
      continueUrl: '',
      holds: true,
      now: () => Date.now(),
      ...options,
    };
  }

  /** The newest operation. */
  get operation() {
    return this.operations.at(-1);
  }

  /** Whether a request is for one of the element's addresses, before its body is read. */
  takes(/** @type {Pick<TestRequest, 'method' | 'url'>} */ { method, url }) {
    return this.#address(method, url) !== undefined;
  }

  /**
   * @param {TestRequest} request
   * @returns {Promise<TestAnswer | null | undefined>} `null`: the connection ends without an answer; `undefined`: the request
   *   is for none of these addresses
   */
  async handle({ method, url, headers = {}, body = '' }) {
    const found = this.#address(method, url);
    if (!found) return undefined;
    const { address, path } = found;
    const request = { headers: plain(headers), body: typeof body === 'string' ? body : JSON.stringify(body ?? ''), path };
    this.requests.push({ address, method, ...request });
    await this.#pauses.get(address);
    const fault = this.#fault(address);
    if (fault === 'unreachable') return null;
    const answer = await this.#end(address, request, fault);
    if (fault === 'lost') return null;
    // The element counts down by the date. Answers of one second are not one answer, where a test has a clock of its own.
    const own = { date: new Date(this.#options.now()).toUTCString(), 'x-request-id': `TestServer-${this.requests.length}` };
    return { ...answer, headers: { ...answer.headers, ...own } };
  }

  /** Begins an operation as another tab or an earlier visit did. */
  begins(/** @type {OfferedMethod} */ method = 'QR') {
    checkMethod(method);
    return this.#begin(method, undefined);
  }

  /** The payment service knows another state of an operation: of the newest one, unless a number names another. */
  becomes(/** @type {TestState} */ state, /** @type {{ number?: string, reason?: string }} */ options = {}) {
    onlyOptions('becomes', options, ['number', 'reason']);
    const { number, reason } = options;
    const operation = number ? this.#found(number) : this.operation;
    if (!operation) throw new Error(number ? `There is no operation ${number}.` : 'No operation has begun yet: choose a method first, or call begins(method).');
    if (!FOLLOWS[operation.state].includes(state)) {
      throw new Error(`An operation that is ${operation.state} never becomes ${state}. It may become: ${FOLLOWS[operation.state].join(', ') || 'nothing else'}.`);
    }
    if (state === 'cancelled') operation.end = 'staff';
    this.#change(operation, state, reason);
  }

  /** The next requests to an address end so. `lost` carries the request out, and its answer does not arrive. */
  fails(/** @type {TestAddress} */ address, /** @type {TestFault} */ fault, /** @type {{ times?: number }} */ options = {}) {
    checkFault(address, fault, options);
    this.#faults.push({ address, fault, left: options.times ?? 1 });
  }

  /** Requests to an address wait for their answer until the function is called that this returns. */
  pauses(/** @type {TestAddress} */ address) {
    checkAddress(address);
    /** @type {() => void} */
    let go = () => {};
    this.#pauses.set(address, new Promise((resolve) => {
      go = () => {
        this.#pauses.delete(address);
        resolve();
      };
    }));
    return go;
  }

  /** Answers what is held, and holds nothing any more, so that a test can end. */
  close() {
    this.#isClosed = true;
    this.#release();
  }

  #address(/** @type {string} */ method, /** @type {string} */ url) {
    const { pathname, origin } = new URL(url, 'http://page.invalid');
    const base = new URL(`${this.#options.baseUrl.replace(/\/$/, '')}/charges`, 'http://page.invalid');
    if (base.hostname !== 'page.invalid' && base.origin !== origin) return undefined;
    if (pathname !== base.pathname && !pathname.startsWith(`${base.pathname}/`)) return undefined;
    const path = pathname.slice(base.pathname.length);
    const parts = path.split('/').length - 1;
    /** @type {TestAddress | undefined} */
    const address =
      method === 'POST' && path === '' ? 'start'
        : method === 'POST' && path === '/live' ? 'live'
          : method === 'GET' && parts === 3 ? 'status'
            : method === 'DELETE' && parts === 2 ? 'cancel'
              : undefined;
    return address && { address, path };
  }

  #fault(/** @type {TestAddress} */ address) {
    const due = this.#faults.find((each) => each.address === address && each.left > 0);
    if (due) due.left -= 1;
    return due?.fault;
  }

  /** @returns {Promise<TestAnswer> | TestAnswer} */
  #end(/** @type {TestAddress} */ address, /** @type {Read} */ request, /** @type {TestFault | undefined} */ fault) {
    if (fault === 'unreadable') return unreadable();
    if (fault && fault !== 'lost' && fault !== 'unreachable') return problem(fault, this.operation);
    if (address === 'start') return this.#start(request);
    if (address === 'live') return this.#live();
    if (address === 'cancel') return this.#cancel(request);
    return this.#status(request);
  }

  #start(/** @type {Read} */ { headers, body }) {
    const key = headers['idempotency-key'];
    if (!key) return problem('idempotency-key-required');
    const asked = read(body);
    if (!asked) return problem('bad-request');
    const forbidden = FORBIDDEN.find((name) => Object.hasOwn(asked, name));
    if (forbidden) return problem('field-not-allowed', {}, { field: forbidden, detail: `The field \`${forbidden}\` is not allowed here.` });
    const before = this.#keys.get(key);
    if (before) return before.body === body ? before.answer : problem('idempotency-key-reused');
    const { method_name: method, method_details: details } = asked.payment_method ?? {};
    const refusal = this.#refusal(method, headers['checkout-replaces']?.replaceAll('"', ''));
    if (refusal) return refusal;
    const live = this.operation?.state === 'pending' ? this.operation : this.#begin(method, details?.redirect_url);
    const answer = started(live);
    this.#keys.set(key, { body, answer });
    return answer;
  }

  /** Why nothing new begins now. Ends a live operation that the payer leaves. */
  #refusal(/** @type {OfferedMethod} */ method, /** @type {string | undefined} */ replaces) {
    const why = whyNot(this.#options, method);
    const { currency, methods } = offerOf(this.#options);
    const notOffered = why && problem('method-not-offered', {}, { ...why, currency, methods });
    const paid = this.operations.find(isPaid);
    if (paid) return problem('order-paid', paid);
    const live = this.operation;
    if (live?.state === 'confirming') return problem('operation-unconfirmed', live);
    if (live?.state !== 'pending') return notOffered;
    const isOverdue = this.#options.now() > live.expiresAt + OVERDUE_AFTER;
    if (!isOverdue && live.method === method) return undefined;
    if (notOffered) return notOffered;
    if (!isOverdue && replaces !== live.merchantOperationNumber) return problem('operation-live', live);
    live.end = 'replaced';
    this.#change(live, 'cancelled');
    return undefined;
  }

  #live() {
    const seen = this.operations.find(isPaid) ?? this.operations.findLast(({ state }) => state === 'pending' || state === 'reversed');
    if (seen) return status(seen, this.#facts(seen));
    const offered = offerOf(this.#options);
    return offered.notOffered.length > 0 ? offer(offered) : nothing();
  }

  #cancel(/** @type {Read} */ { path }) {
    const operation = this.#found(path.split('/')[2]);
    if (!operation) return problem('not-found');
    if (isPaid(operation)) return problem('order-paid', operation);
    if (operation.state === 'confirming') return problem('cannot-cancel-now');
    if (operation.state === 'pending') {
      operation.end = 'payer';
      this.#change(operation, 'cancelled');
    }
    return cancelled(operation);
  }

  async #status(/** @type {Read} */ { path, headers }) {
    const operation = this.#found(path.split('/')[2]);
    if (!operation) return problem('not-found');
    const known = headers['if-none-match'];
    const answer = () => status(operation, { ...this.#facts(operation), known });
    const [, seconds] = /\bwait=(\d+)/.exec(headers.prefer ?? '') ?? [];
    const isNew = known && answer().status !== 304;
    if (!seconds || !this.#options.holds || this.#isClosed || isNew) return answer();
    await this.#changed(Number(seconds));
    return status(operation, { ...this.#facts(operation), known, held: true });
  }

  #facts(/** @type {Kept} */ operation) {
    const orderState = this.operations.some(isPaid) ? /** @type {const} */ ('paid') : /** @type {const} */ ('open');
    return {
      end: operation.state === 'cancelled' ? operation.end : undefined,
      orderState: operation.state === 'reversed' ? orderState : undefined,
    };
  }

  #found(/** @type {string} */ number) {
    return this.operations.find(({ merchantOperationNumber }) => merchantOperationNumber === decodeURIComponent(number));
  }

  #begin(/** @type {string} */ method, /** @type {string | undefined} */ redirectUrl) {
    const { amount, currency, merchantCode, expiresIn, continueUrl, now } = this.#options;
    const count = String(this.operations.length + 1).padStart(6, '0');
    const startedAt = now();
    /** @type {Kept} */
    const operation = {
      merchantCode,
      merchantOperationNumber: `250207${count}`,
      transactionId: `test-${count}`,
      method,
      state: 'pending',
      amount,
      currency,
      startedAt,
      changedAt: startedAt,
      expiresAt: startedAt + expiresIn * 1000,
      ...(continueUrl && { continueUrl }),
      ...(redirectUrl && { redirectUrl }),
    };
    this.operations.push(operation);
    return operation;
  }

  #change(/** @type {Kept} */ operation, /** @type {TestState} */ state, /** @type {string} */ reason = '') {
    Object.assign(operation, { state, reason, changedAt: this.#options.now() });
    this.#release();
  }

  #changed(/** @type {number} */ seconds) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#held.delete(done);
        resolve(undefined);
      };
      const timer = setTimeout(done, seconds * 1000);
      this.#held.add(done);
    });
  }

  #release() {
    for (const done of this.#held) done();
  }
}

/** A body as an object; nothing where it is none. */
function read(/** @type {string} */ text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Headers by their names in small letters, from an object or a `Headers`. */
function plain(/** @type {TestRequest['headers']} */ headers) {
  const pairs = headers && 'entries' in headers && typeof headers.entries === 'function' ? [...headers.entries()] : Object.entries(headers ?? {});
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
