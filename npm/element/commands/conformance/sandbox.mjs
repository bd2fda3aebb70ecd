// The sandbox behind the server: what it is made to do, and what it saw. docs/server.md#try-it has its addresses.

import { expect } from './expectations.mjs';
import { reason } from './payer.mjs';

/** An option is wrong, or what it names does not answer; the run cannot go on. */
export class UsageError extends Error {}

/**
 * @typedef {object} Entry a request in the journal
 * @property {number} seq
 * @property {string} method
 * @property {string} path
 * @property {string | null} merchant_operation_number
 * @property {string | null} amount
 * @property {string | null} currency
 * @property {boolean} accepted
 * @property {number | null} status
 */

/** @typedef {{method?: string, path?: string, times?: number, when?: string, kind: string, [more: string]: unknown}} Fault */

const ANSWER_MS = 10_000;
const LOOK_MS = 50;
/** What a request to the service itself has to have. */
const API_VERSION = '1709847567';
/** Clocks that differ less are the same. */
const SAME_CLOCK_S = 3;

export class Sandbox {
  #address;
  /** @type {Record<string, unknown> | undefined} */
  #settings;
  #offset = 0;
  /** The journal's last entry that was read. */
  #seen = 0;

  /** @param {string} address */
  constructor(address) {
    this.#address = address.replace(/\/+$/, '');
  }

  /** Remembers what the run will put back. */
  async open() {
    this.#settings = await this.#ask('GET', 'settings');
    const { unix_time } = await this.#ask('GET', 'clock');
    const offset = Math.round(unix_time - Date.now() / 1000);
    this.#offset = Math.abs(offset) < SAME_CLOCK_S ? 0 : offset;
    await this.faults();
  }

  /** Whether the service takes this access token. @param {string} token */
  async takes(token) {
    const headers = { Authorization: `Bearer ${token}`, 'ALG-API-VERSION': API_VERSION };
    const { status } = await this.#send('GET', `${this.#address}/charges/nobody/0/0`, { headers });
    return status !== 401;
  }

  /** Puts back faults, clock and settings. Nothing happens before `open`. */
  async restore() {
    if (!this.#settings) return;
    await this.faults();
    await this.#ask('PUT', 'clock', { offset_s: this.#offset });
    await this.#ask('PUT', 'settings', this.#settings);
  }

  /** Puts the faults in the place of all earlier ones. @param {...Fault} faults */
  faults(...faults) {
    return this.#ask('PUT', 'faults', faults);
  }

  /** @param {Record<string, unknown>} settings */
  settings(settings) {
    return this.#ask('PUT', 'settings', settings);
  }

  /** Moves the service's clock against the one at the start of the run. @param {number} seconds */
  clock(seconds) {
    return this.#ask('PUT', 'clock', { offset_s: this.#offset + seconds });
  }

  /** @param {string} number @param {string} step @param {object} [how] */
  async drive(number, step, how) {
    const answer = await this.#ask('POST', `operations/${encodeURIComponent(number)}/${step}`, how, [404, 409]);
    expect(!answer.error, `the operation ${number} to take the step "${step}" at the service`, answer.error);
  }

  /** The operation as the service has it. @param {string} number */
  async operation(number) {
    const answer = await this.#ask('GET', `operations/${encodeURIComponent(number)}`, undefined, [404]);
    expect(!answer.error, `the operation ${number} at the sandbox`, answer.error);
    return answer.operation;
  }

  /** @param {string} number @returns {Promise<string>} */
  async state(number) {
    return (await this.operation(number)).state;
  }

  /** The details of the method that the server gave to the service. @param {string} number */
  async details(number) {
    const operation = await this.operation(number);
    return operation.transactions[0].payment_method.method_details ?? {};
  }

  /** Waits until all planned faults have happened, or nobody waits for them any more. @param {AbortSignal} signal */
  async untilFaultsHappened(signal) {
    while (!signal.aborted) {
      const { left } = await this.#ask('GET', 'faults');
      if (left.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Ends what waits, so that the server asks about it no more. @param {string} number */
  async forget(number) {
    if ((await this.state(number)) === 'PENDIENTE') await this.drive(number, 'decline');
  }

  /** The place of the journal's last entry. */
  async mark() {
    await this.since(this.#seen);
    return this.#seen;
  }

  /** What the service was asked after a mark. @param {number} mark @returns {Promise<Entry[]>} */
  async since(mark) {
    const lines = await this.#ask('GET', `journal?after=${mark}`);
    const entries = lines.split('\n').filter(Boolean).map((/** @type {string} */ line) => JSON.parse(line));
    this.#seen = entries.at(-1)?.seq ?? this.#seen;
    return entries;
  }

  /** The authorizations after a mark, whether or not they were answered. @param {number} mark */
  async authorizations(mark) {
    const entries = await this.since(mark);
    return entries.filter(({ method, path }) => method === 'POST' && path === '/charges');
  }

  /** The cancellations of an operation after a mark. @param {number} mark @param {string} number */
  async cancellations(mark, number) {
    const entries = await this.since(mark);
    return entries.filter((entry) => entry.method === 'DELETE' && entry.merchant_operation_number === number);
  }

  /**
   * @param {string} method @param {string} path @param {object} [body]
   * @param {number[]} [expected] further answers, whose body has an `error`
   * @returns {Promise<any>}
   */
  async #ask(method, path, body, expected = []) {
    const address = `${this.#address}/sandbox/${path}`;
    const content = body ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {};
    const { status, type, text } = await this.#send(method, address, content);
    const isJson = type.includes('json');
    const isExpected = (status >= 200 && status < 300) || expected.includes(status);
    if (!isExpected || (text && !isJson)) {
      const seen = `${status} ${text.slice(0, 200)}`;
      throw new UsageError(`--sandbox: ${method} ${address} answered ${seen}. Give the address of payment-sandbox.`);
    }
    return isJson && !type.includes('ndjson') ? JSON.parse(text) : text;
  }

  /** @param {string} method @param {string} address @param {{body?: string, headers?: Record<string, string>}} content */
  async #send(method, address, content) {
    try {
      const response = await fetch(address, { method, signal: AbortSignal.timeout(ANSWER_MS), ...content });
      return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
    } catch (error) {
      throw new UsageError(
        `--sandbox: ${this.#address} does not answer (${reason(error)}). Start payment-sandbox, and give its address.`,
      );
    }
  }
}
