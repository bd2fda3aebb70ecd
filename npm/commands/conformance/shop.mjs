// The shop under test: its orders, its addresses, and the sandbox behind its server.

import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { Payer, leadsAway, reason } from './payer.mjs';
import { UsageError } from './sandbox.mjs';

const run = promisify(exec);
const COMMAND_MS = 30_000;

export class Shop {
  /** @type {import('./payer.mjs').Answer[]} */
  heard = [];
  /** @type {Set<string>} */
  #waiting = new Set();

  /**
   * @param {import('./options.mjs').Options} options
   * @param {import('./sandbox.mjs').Sandbox} sandbox
   * @param {AbortSignal} signal ends the run
   */
  constructor(options, sandbox, signal) {
    this.options = options;
    this.sandbox = sandbox;
    this.signal = signal;
    this.timeoutMs = options.timeoutMs;
    this.redirectUrl = options.redirectUrl;
    this.#orders = options.order;
    const isPlayed = (/** @type {string} */ method) => options.redirectUrl !== '' || !leadsAway(method);
    /** The methods that payers choose: the first one, and another one instead of it. */
    this.methods = options.methods.filter(isPlayed).slice(0, 2);
    if (!this.methods[0]) throw new UsageError(`--redirect-url is missing; ${options.methods} cannot begin without it.`);
    this.method = this.methods[0];
    const { base } = options;
    const path = (/** @type {string[]} */ ...values) => values.map(encodeURIComponent).join('/');
    this.addresses = {
      start: `${base}/charges`,
      live: options.liveUrl,
      /** @param {import('./payer.mjs').Operation} operation */
      status: ({ code, number, transaction }) => `${base}/charges/${path(code, number, transaction)}`,
      /** @param {import('./payer.mjs').Operation} operation */
      cancel: ({ code, number }) => `${base}/charges/${path(code, number)}`,
    };
  }

  #orders;

  /** @type {Promise<Payer> | undefined} */
  #next;

  /** A payer with a fresh order. The next one is made meanwhile, since a program takes its time to start. */
  async order() {
    const payer = await (this.#next ?? this.#makeOrder());
    this.#next = this.#makeOrder();
    this.#next.catch(() => undefined); // whoever takes it gets the error
    return payer;
  }

  async #makeOrder() {
    const printed = await this.#command('--order', this.#orders);
    const line = printed.trim().split('\n').at(-1) ?? '';
    const { request, amount, currency, cookie } = readOrder(line);
    return new Payer(this, { request, amount: String(amount), currency }, cookie);
  }

  /** Restarts the server, and waits until it answers. */
  async restart() {
    this.#next = undefined;
    await this.#command('--restart', this.options.restart);
    const end = performance.now() + COMMAND_MS;
    while (!(await this.answers())) {
      if (performance.now() > end) throw new UsageError(`--restart: ${this.options.base} does not answer after it`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Whether anybody answers at the base address, whatever the answer. */
  async answers() {
    try {
      await fetch(this.addresses.start, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5_000) });
      return true;
    } catch (error) {
      this.silence = reason(error);
      return false;
    }
  }

  /** Why nobody answered. */
  silence = '';

  /** @param {string} number */
  remember(number) {
    this.#waiting.add(number);
  }

  /** Ends what a check left waiting, so that the server asks about it no more. */
  async tidy() {
    for (const number of this.#waiting) await this.sandbox.forget(number);
    this.#waiting.clear();
  }

  /** @param {string} option @param {string} command */
  async #command(option, command) {
    try {
      const { stdout } = await run(command, { timeout: COMMAND_MS, signal: this.signal });
      return stdout;
    } catch (error) {
      this.signal.throwIfAborted();
      const { code, stderr } = /** @type {{code?: number | string, stderr?: string}} */ (error);
      const words = stderr?.trim().split('\n').at(-1) || 'it printed nothing on standard error';
      throw new UsageError(`${option}: the command ended with ${code ?? `no code in ${COMMAND_MS / 1000} s`}: ${words}`);
    }
  }
}

const FORM = '{"request": {…}, "amount": "12990", "currency": "PEN", "cookie": "…"}, in which cookie is optional';

/** @param {string} line */
function readOrder(line) {
  let order;
  try {
    order = JSON.parse(line);
  } catch {
    throw new UsageError(`--order: the command has to print a JSON line ${FORM}; it printed: ${line.slice(0, 200)}`);
  }
  const { request, amount, currency, cookie } = order ?? {};
  const wrong = (/** @type {string} */ field, /** @type {string} */ rule) =>
    new UsageError(`--order: the member ${field} of the JSON line has to be ${rule}; the line is ${FORM}`);
  if (typeof request !== 'object' || request === null) throw wrong('request', 'an object');
  if (!/^[1-9]\d*$/.test(String(amount))) throw wrong('amount', 'whole cents');
  if (typeof currency !== 'string') throw wrong('currency', 'a text');
  if (cookie !== undefined && typeof cookie !== 'string') throw wrong('cookie', 'a text');
  return { request, amount, currency, cookie };
}
