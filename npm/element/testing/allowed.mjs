// The words and values that the calls of a test may have. A wrong one throws at once: otherwise the test would pass for another
// reason, or fail later and elsewhere.

import { PROBLEMS } from './problems.mjs';
import { METHODS } from './words.mjs';

/** @import { OfferedMethod } from '../types/attributes.js' */
/** @import { CheckoutState } from '../types/events.js' */
/** @import { TestAddress, TestServerOptions } from '../types/testing.js' */

export { METHODS };

export const OFFERED = /** @type {readonly OfferedMethod[]} */ (Object.keys(METHODS));

/** The states of the element, and whether each is an end that the server answered. */
export const IS_FINAL = Object.freeze(
  /** @satisfies {Record<CheckoutState, boolean>} */ ({
    loading: false,
    choosing: false,
    authorizing: false,
    pending: false,
    checking: false,
    overdue: false,
    cancelling: false,
    paid: true,
    declined: true,
    invalid: true,
    cancelled: true,
    expired: true,
    reversed: true,
    failed: false,
  }),
);

/** @type {readonly TestAddress[]} */
const ADDRESSES = ['start', 'status', 'cancel', 'live'];

const isText = (/** @type {unknown} */ value) => typeof value === 'string';

const isObject = (/** @type {unknown} */ value) => typeof value === 'object' && value !== null;

const isCurrency = (/** @type {unknown} */ value) => isText(value) && /^([A-Z]{3}|\d{3})$/.test(value);

const areMethods = (/** @type {unknown} */ value) => Array.isArray(value) && value.every((each) => Object.hasOwn(METHODS, each));

/** Whether an object has known names only, each with a value that fits. */
const has = (/** @type {unknown} */ value, /** @type {(name: string) => boolean} */ isName, /** @type {(value: unknown) => boolean} */ fits) =>
  isObject(value) && Object.entries(value).every(([name, each]) => isName(name) && fits(each));

const isBound = (/** @type {unknown} */ value) => /^\d+$/.test(String(value));

const areLimits = (/** @type {unknown} */ value) =>
  has(value, (method) => Object.hasOwn(METHODS, method), (currencies) =>
    has(currencies, isCurrency, (bounds) => has(bounds, (name) => name === 'least' || name === 'most', isBound)));

/** @type {Record<keyof TestServerOptions, [(value: any) => boolean, string]>} */
const OPTIONS = {
  baseUrl: [isText, "an address, such as '/api'"],
  amount: [(value) => isText(value) && /^\d+$/.test(value), "a text of whole cents, such as '12990' for 129.90"],
  currency: [isCurrency, "a code of ISO 4217, such as 'PEN'"],
  merchantCode: [isText, 'a text'],
  methods: [areMethods, `a list of ${OFFERED.join(', ')}`],
  orderMethods: [(value) => areMethods(value) && value.length > 0, `a list of at least one of ${OFFERED.join(', ')}`],
  limits: [areLimits, 'limits in whole cents by method and currency, such as { QR: { PEN: { least: 600, most: 50000 } } }'],
  expiresIn: [Number.isFinite, 'a number of seconds'],
  continueUrl: [isText, 'an address'],
  holds: [(value) => typeof value === 'boolean', 'true or false'],
  now: [(value) => typeof value === 'function', 'a function that answers milliseconds since 1970'],
};

/** Throws unless a word is one of those that a call takes. */
export function oneOf(/** @type {string} */ what, /** @type {unknown} */ word, /** @type {readonly string[]} */ all) {
  if (!all.includes(/** @type {string} */ (word))) throw new Error(`There is no ${what} ${shown(word)}. There are: ${all.join(', ')}.`);
}

/** Throws for an option that a call does not have. */
export function onlyOptions(/** @type {string} */ call, /** @type {object} */ given, /** @type {readonly string[]} */ names) {
  for (const name of Object.keys(given)) oneOf(`option of ${call}`, name, names);
}

export function checkOptions(/** @type {TestServerOptions} */ options) {
  onlyOptions('TestServer', options, Object.keys(OPTIONS));
  for (const [name, value] of Object.entries(options)) {
    const [fits, what] = OPTIONS[/** @type {keyof TestServerOptions} */ (name)];
    if (!fits(value)) throw new Error(`The option ${name} of TestServer is ${shown(value)}. It has to be ${what}.`);
  }
}

export const checkAddress = (/** @type {unknown} */ address) => oneOf('address', address, ADDRESSES);

export const checkMethod = (/** @type {unknown} */ method) => oneOf('method', method, OFFERED);

export function checkFault(/** @type {TestAddress} */ address, /** @type {string} */ fault, /** @type {{ times?: number }} */ options) {
  checkAddress(address);
  const problems = Object.entries(PROBLEMS).filter(([, { at }]) => at.includes(address));
  const faults = ['lost', 'unreachable', 'unreadable', ...problems.map(([name]) => name)];
  if (!faults.includes(fault)) throw new Error(`The address ${address} never answers ${shown(fault)}. Its faults are: ${faults.join(', ')}.`);
  onlyOptions('fails', options, ['times']);
  const { times = 1 } = options;
  if (!(times === Infinity || (Number.isInteger(times) && times > 0))) throw new Error(`times is ${shown(times)}. It has to be a whole number above 0, or Infinity.`);
}

const shown = (/** @type {unknown} */ value) => (isText(value) || value?.constructor === Object ? JSON.stringify(value) : String(value));
