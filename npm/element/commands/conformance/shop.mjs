// The shop under test: its orders, its addresses, and the sandbox behind its server.

import { exec } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { pause, skip } from './expectations.mjs';
import { Payer, excerpt, leadsAway, reason } from './payer.mjs';
import { UsageError } from './sandbox.mjs';

const run = promisify(exec);
const COMMAND_MS = 30_000;
/** How long after the command for it a restart may begin. */
const RESTART_MS = 5_000;
/** The access token of a sandbox that was given none. */
const USUAL_TOKEN = 'sandbox-token';

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
    const isPlayed = (/** @type {string} */ method) => options.redirectUrl !== '' || !leadsAway(method);
    /** The methods that payers choose: the first one, and another one instead of it. */
    this.methods = options.methods.filter(isPlayed).slice(0, 2);
    if (!this.methods[0]) throw new UsageError(`--redirect-url is missing; ${options.methods.join(' and ')} cannot begin without it.`);
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

  /** What names the orders of this run. */
  #made = new Set();

  /** @type {Promise<Payer> | undefined} */
  #next;

  /** A payer with a fresh order. The next one is made meanwhile, since a program takes its time to start. */
  async order() {
    const make = () => this.#makeOrder('--order', this.options.order);
    const payer = await (this.#next ?? make());
    this.#next = make();
    this.#next.catch(() => undefined); // whoever takes it gets the error
    return payer;
  }

  /** A payer with a fresh order whose amount is beyond a limit of the first method. */
  orderBeyond() {
    const { orderBeyond } = this.options;
    if (!orderBeyond) skip('--order-beyond is missing: a command that makes an order beyond a limit of the first method');
    return this.#makeOrder('--order-beyond', orderBeyond);
  }

  /** @param {string} option @param {string} command */
  async #makeOrder(option, command) {
    const printed = await this.#command(option, command);
    const line = printed.trim().split('\n').at(-1) ?? '';
    const { request, amount, currency, cookie } = readOrder(option, line);
    const name = nameOf(request);
    if (this.#made.has(name)) {
      throw new UsageError(`${option}: the command printed an order twice, and each check takes a fresh one: ${excerpt(name)}`);
    }
    this.#made.add(name);
    return new Payer(this, { request, amount: String(amount), currency, hasCookie: Boolean(cookie) }, cookie);
  }

  /** Restarts the server, and waits until it answers. @returns {Promise<boolean>} whether it closed its connections meanwhile */
  async restart() {
    this.#next = undefined;
    const { hostname, port, protocol } = new URL(this.options.base);
    const connection = connect(Number(port) || (protocol === 'https:' ? 443 : 80), hostname.replace(/^\[|\]$/g, ''));
    await once(connection, 'connect');
    // Closed or reset, it ends with its server.
    connection.on('error', () => undefined).resume();
    const closed = new Promise((resolve) => connection.on('close', () => resolve(true)));
    await this.#command('--restart', this.options.restart);
    const over = new Promise((resolve) => AbortSignal.timeout(RESTART_MS).addEventListener('abort', () => resolve(false)));
    const isRestarted = await Promise.race([closed, over]);
    connection.destroy();
    const end = performance.now() + COMMAND_MS;
    while (!(await this.answers())) {
      if (performance.now() > end) throw new UsageError(`--restart: ${this.options.base} does not answer after it`);
      await pause(100, this.signal);
    }
    return isRestarted;
  }

  /** Finds the access token that the server sends to the sandbox, to look for it in answers; '' if nobody knows it. */
  async findToken() {
    const given = process.env.SANDBOX_TOKEN;
    const isTaken = await this.sandbox.takes(given || USUAL_TOKEN);
    if (given && !isTaken) {
      throw new UsageError('SANDBOX_TOKEN: the sandbox refuses this access token (401). Give the one that your server sends to it.');
    }
    this.token = isTaken ? given || USUAL_TOKEN : '';
  }

  token = '';

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
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const number of waiting) await this.sandbox.forget(number);
  }

  /** @param {string} option @param {string} command */
  async #command(option, command) {
    try {
      const { stdout } = await run(command, { timeout: COMMAND_MS, signal: this.signal });
      return stdout;
    } catch (error) {
      this.signal.throwIfAborted();
      const { code, killed, stderr } = /** @type {{code?: number | string, killed?: boolean, stderr?: string}} */ (error);
      const end = killed ? `did not end within ${COMMAND_MS / 1000} s, the limit` : `ended with ${code}`;
      throw new UsageError(`${option}: the command ${end}: ${messageOf(stderr ?? '') || 'it printed nothing on standard error'}`);
    }
  }
}

/** The line that says what went wrong, among those of a stack. @param {string} stderr */
function messageOf(stderr) {
  const lines = stderr.trim().split('\n');
  return (lines.findLast((line) => /(error|exception)\b.*:/i.test(line) && !/^\s+at /.test(line)) ?? lines.at(-1) ?? '').trim();
}

/** The id in a signed order, whose time differs each time that it is signed; otherwise all fields. @param {{order?: unknown}} request */
function nameOf(request) {
  const [, claims] = String(request.order).split('.');
  try {
    const { order_id } = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString());
    if (order_id) return `order_id ${order_id}`;
  } catch {
    // It is not signed.
  }
  return JSON.stringify(request);
}

const FORM = '{"request": {…}, "amount": "12990", "currency": "PEN", "cookie": "…"}, in which cookie is optional';

/** @param {string} option @param {string} line */
function readOrder(option, line) {
  let order;
  try {
    order = JSON.parse(line);
  } catch {
    throw new UsageError(`${option}: the command has to print a JSON line ${FORM}; it printed: ${line.slice(0, 200)}`);
  }
  const { request, amount, currency, cookie } = order ?? {};
  const wrong = (/** @type {string} */ field, /** @type {string} */ rule) =>
    new UsageError(`${option}: the member ${field} of the JSON line has to be ${rule}; the line is ${FORM}`);
  if (typeof request !== 'object' || request === null) throw wrong('request', 'an object');
  if (!/^[1-9]\d*$/.test(String(amount))) throw wrong('amount', 'whole cents');
  if (typeof currency !== 'string') throw wrong('currency', 'a text');
  if (cookie !== undefined && typeof cookie !== 'string') throw wrong('cookie', 'a text');
  return { request, amount, currency, cookie };
}
