// The options of the command.

import { parseArgs } from 'node:util';
import { UsageError } from './sandbox.mjs';

/**
 * @typedef {object} Options
 * @property {string} base the base address of the server
 * @property {string} sandbox
 * @property {string} order
 * @property {string} orderBeyond
 * @property {string[]} methods
 * @property {string} redirectUrl
 * @property {string} liveUrl
 * @property {string} notifications
 * @property {string} restart
 * @property {number} timeoutMs
 * @property {string[]} only
 * @property {string} json
 * @property {string} junit
 */

export const HELP = `payment-checkout-element conformance BASE --sandbox URL --order COMMAND [options]

Plays payers against a merchant's server that has payment-sandbox behind it, and says where it breaks the contract.
BASE is the address before /charges, as in the attribute base-url of the element.

  --sandbox URL        the address of payment-sandbox, such as http://127.0.0.1:8082
  --order COMMAND      prints one JSON line for a fresh order:
                       {"request": {…}, "amount": "12990", "currency": "PEN", "cookie": "…"}
                       request has the fields of the element's property of that name; cookie is the header Cookie of
                       the session that may pay the order: leave it out where the request alone permits it. The
                       command may take 30 s
  --order-beyond COMMAND
                       prints the same for a fresh order whose amount is beyond a limit of the first of --methods, and
                       which the second one can pay
  --methods "A B"      the methods that your server offers; the first two are played ("QR INSTALLMENT")
  --redirect-url URL   a page of your shop that payers may come back to; INSTALLMENT and BANK_TRANSFER need it
  --live-url URL       the address of the attribute live-url (BASE/charges/live)
  --notifications URL  the address at which your server takes notifications, where callback_url is not it
  --restart COMMAND    restarts your server
  --timeout SECONDS    how long something may take that has to come (10)
  --only NAME          plays this check alone; may be repeated, and NAME may end in *
  --json FILE          writes the results as JSON
  --junit FILE         writes the results as JUnit XML
  --list               lists the checks

The environment variable SANDBOX_TOKEN is the access token that your server sends to the sandbox (sandbox-token); the run
looks for it in the answers that browsers get. The exit code is 0 when no check of the level must failed, otherwise 1;
2 says that an option is wrong or that something does not answer.
`;

const DEFAULT_TIMEOUT_S = 10;

const TEXT = { type: /** @type {const} */ ('string') };
const FLAG = { type: /** @type {const} */ ('boolean') };
const KNOWN = {
  sandbox: TEXT,
  order: TEXT,
  'order-beyond': TEXT,
  methods: TEXT,
  'redirect-url': TEXT,
  'live-url': TEXT,
  notifications: TEXT,
  restart: TEXT,
  timeout: TEXT,
  only: { ...TEXT, multiple: /** @type {const} */ (true) },
  json: TEXT,
  junit: TEXT,
  list: FLAG,
  help: FLAG,
};

/** Reads the arguments; a text is what they ask for instead of a run. @param {string[]} words @returns {Options | 'help' | 'list'} */
export function read(words) {
  let parsed;
  try {
    parsed = parseArgs({ args: words, options: KNOWN, allowPositionals: true, strict: true });
  } catch (error) {
    const [what] = /** @type {Error} */ (error).message.split('. ');
    throw new UsageError(`${what}; --help lists the options.`);
  }
  const { values, positionals } = parsed;
  const address = (/** @type {'sandbox' | 'redirect-url' | 'live-url' | 'notifications'} */ name) =>
    values[name] ? webAddress(`--${name}`, values[name]) : '';
  if (values.help) return 'help';
  if (values.list) return 'list';
  const [given, ...others] = positionals;
  if (!given) throw new UsageError('Name the base address of your server, such as http://127.0.0.1:3000/api.');
  if (others.length > 0) throw new UsageError(`There is one base address; ${others.join(' ')} is too much.`);
  if (!values.sandbox) throw new UsageError('--sandbox is missing: the address of payment-sandbox.');
  if (!values.order) throw new UsageError('--order is missing: a command that makes an order and prints it as JSON.');
  const seconds = Number(values.timeout ?? DEFAULT_TIMEOUT_S);
  if (!(seconds >= 1 && seconds <= 120)) throw new UsageError('--timeout has to be a number of seconds from 1 to 120.');
  const base = webAddress('BASE', given).replace(/\/+$/, '');
  const methods = (values.methods ?? 'QR INSTALLMENT').split(/[\s,]+/).filter(Boolean);
  if (methods.length === 0) throw new UsageError('--methods has to name a method, such as QR.');
  return {
    base,
    sandbox: address('sandbox'),
    order: values.order,
    orderBeyond: values['order-beyond'] ?? '',
    methods,
    redirectUrl: address('redirect-url'),
    liveUrl: address('live-url') || `${base}/charges/live`,
    notifications: address('notifications'),
    restart: values.restart ?? '',
    timeoutMs: seconds * 1000,
    only: values.only ?? [],
    json: values.json ?? '',
    junit: values.junit ?? '',
  };
}

/** @param {string} name @param {string} text */
function webAddress(name, text) {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError(`${name} has to be an address such as http://127.0.0.1:3000; it is ${text}`);
  }
  return text;
}
