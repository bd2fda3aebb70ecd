// The sentences about mistakes of the page: in the tag, its content, its properties, and the names of events. Each says what
// was found, where, and what to do.

import { propertyOf } from '../../shared/custom-element.ts';
import type { Finding } from '../../shared/finding.ts';
import { isAddress } from '../../shared/web-address.ts';
import type { Broken, RuleName } from '../page-rules.ts';
import { ATTRIBUTES, EVENTS, LOCALES, METHODS, SLOTS, SWITCHES } from '../printed/surface.ts';
import { lacks } from '../sandbox.ts';
import type { Settings } from '../settings.ts';

/**
 * The sentences about what breaks a rule, or none where it may be meant so. `name` is what the rule returned, and `value` that of the
 * attribute of this name when it was judged: the page may have set another one since.
 */
type Sentence = (name: string, page: Settings, value: string) => string | string[] | undefined;

const ATTRIBUTE_NAMES = [...ATTRIBUTES, ...SWITCHES];

const SENTENCES: { [Rule in RuleName]: [code: Finding['code'], sentence: Sentence] } = {
  'base-url': ['base-url', () => 'base-url is missing. Give the address of your server, as in base-url="/api"'],
  address: ['base-url', (name, _, value) => `${name} ${whyNoAddress(value)}`],
  scheme: [
    'base-url',
    (name, _, value) => `${name} is neither a path nor http(s): ${start(value)}. Write it as in /api or https://pay.example/api`,
  ],
  place: [
    'base-url',
    (name) =>
      /^(status|cancel)/.test(name)
        ? `${name} has a name in braces that nothing replaces. Use {merchant_code}, {merchant_operation_number} and {transaction_id} alone`
        : `${name} has a name in braces, and nothing is replaced there. Write the address whole`,
  ],
  amount: ['amount', (_, { amount }) => `amount is not in whole cents: ${amount}. Write 129.90 as amount="12990"`],
  price: ['amount', (_, { amount }) => `${amount ? 'currency' : 'amount'} is missing. Give amount and currency, or neither of them`],
  currency: ['amount', (_, { currency }) => `currency is no code of ISO 4217: ${currency}. Write it as PEN or 604`],
  methods: ['methods', unknownMethod],
  twice: ['methods', (name) => `methods contains "${name}" twice, and it is offered once. Remove one`],
  operation: [
    'operation',
    (_, { merchantCode, merchantOperationNumber }) => {
      const missing = [...(merchantCode ? [] : ['merchant-code']), ...(merchantOperationNumber ? [] : ['merchant-operation-number'])];
      return `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing, so no operation is shown. Give both, or remove all attributes of the operation`;
    },
  ],
  'help-url': [
    'help-url',
    (_, { helpUrl }) =>
      `help-url is not a safe address: ${start(helpUrl)}; no link to your help is shown. Give a https:, mailto: or tel: address, or a path`,
  ],
  order: [
    'order',
    () => 'order is not a signed order, so your server will refuse it. Give the order as your server signed it, in three parts with dots',
  ],
  'page-url': ['page-url', (_, { pageUrl }) => noPage('page-url', pageUrl, 'a payer whose browser cannot run the element gets no link')],
  'paid-url': ['paid-url', (_, { paidUrl }) => noPage('paid-url', paidUrl, 'the receipt has no link')],
  'redirect-url': [
    'redirect-url',
    (_, { redirectUrl }) =>
      `redirect-url is not an address: ${start(redirectUrl)}; the payer comes back to this page's own address. Correct or remove it`,
  ],
  'redirect-hosts': [
    'redirect-hosts',
    (name) =>
      `redirect-hosts contains "${name}", which is no host, so it allows nothing. Write hosts alone, separated by spaces, as in bank.example`,
  ],
  locale: [
    'locale',
    (name, _, value) => {
      const other = name === 'locale' ? ', or set messages with a locale' : '';
      return `${name}="${value}" is ignored: the texts are in ${Object.values(LOCALES).join(', ')}. Use one of these${other}`;
    },
  ],
  'heading-level': [
    'heading-level',
    (_, { headingLevel }) => `heading-level is not 1 to 6: ${headingLevel}; it counts as 2. Give one digit`,
  ],
  switch: [
    'switch',
    (name, _, value) => `${name}="${value}" counts as set, since only its presence counts. Remove the attribute where you do not want it`,
  ],
  unfilled: [
    'unfilled',
    (name, _, value) => {
      const what = /[/?]/.test(value) ? 'a template that nothing filled' : `"${value}"`;
      return `${name} is ${what}: its value was missing when the page was made. Set it later, or remove it`;
    },
  ],
  messages: ['messages', () => 'the property messages is not an object of texts. Set it as in { "choose.heading": "Elige" }'],
  request: [
    'request',
    (_, { request }) =>
      typeof request === 'object' && !Array.isArray(request)
        ? 'the property request cannot be written as JSON. Remove what refers to itself, and values such as 1n'
        : 'the property request is not an object. Set it as in { order_id: "1001" }',
  ],
  sandbox: ['sandbox', lostInSandbox],
  attribute: ['name', (name) => meant('attribute', name, ATTRIBUTE_NAMES)],
  property: ['name', (name) => meant('property', name, [...ATTRIBUTE_NAMES.map(propertyOf), 'request', 'messages'])],
  slot: ['name', (name) => meant('slot', name, SLOTS)],
};

export function findPage({ settings, broken }: { settings: Settings; broken: Broken[] }): Finding[] {
  // A value that breaks a rule of its own attribute is told by that.
  const isTold = (attribute: string) => broken.some(([rule, name]) => rule !== 'unfilled' && [rule, name].includes(attribute));
  const told = broken.filter(([rule, name]) => rule !== 'unfilled' || !isTold(name));
  return told.flatMap(([rule, name, value]) => {
    const [code, sentence] = SENTENCES[rule];
    const sentences = [sentence(name, settings, value) ?? []].flat();
    return sentences.map((is) => ({ code, is, mild: rule === 'sandbox' }));
  });
}

export function findEvent(name: string): Finding[] {
  const is = meant('event', name, EVENTS);
  return is ? [{ code: 'name', is }] : [];
}

const noPage = (name: string, url: string | undefined, so: string) =>
  `${name} is not a valid http or https address: ${start(url)}; ${so}. Correct or remove it`;

function unknownMethod(method: string) {
  const meant = method.includes(',') ? method.toUpperCase().split(',').filter(Boolean).join(' ') : near(method, METHODS);
  const hint = meant ? ` (did you mean ${meant}?)` : '';
  return `methods contains "${method}", which is not a payment method, so it is not offered${hint}. Use these, separated by spaces: ${METHODS.join(' ')}`;
}

/** What does not work in a frame whose `sandbox` lacks a word. */
function lostInSandbox(_: string, { helpUrl }: Settings) {
  const lost = [
    ['allow-downloads', 'nothing can be saved, so it is not offered'],
    ['allow-modals', 'nothing can be printed, so it is not offered'],
    ...(lacks('allow-top-navigation') ? [['allow-top-navigation-by-user-activation', 'no payer gets to a lender or bank']] : []),
    ...(helpUrl ? [['allow-popups', 'no payer gets to your help']] : []),
  ];
  return lost.filter(([word]) => lacks(word)).map(([word, so]) => `the sandbox of the frame around this page lacks ${word}: ${so}. Add it`);
}

function meant(kind: string, name: string, known: readonly string[]) {
  const other = known.includes(name) ? undefined : near(name, known);
  return other && `there is no ${kind} "${name}"; did you mean "${other}"?`;
}

/** As much of an address as has no secret in it: its scheme and its host. */
function start(url = '') {
  const [, known = '', rest] = url.match(/^((?:[a-z][a-z\d+.-]*:)?(?:\/\/[^/?#]*)?)(.*)$/is) ?? [];
  return url.includes('@') ? '…' : known + (rest ? '…' : '');
}

/** An address may have a password in it, so that only one without is printed. */
function whyNoAddress(address: string) {
  if (/^[^?#]*@/.test(address)) return 'has a name or a password in it, to which no browser makes a request. Write the address without';
  const base = document.baseURI;
  const isRelative = !/^[a-z][a-z\d+.-]*:/i.test(address);
  const isLost = isRelative && !isAddress('/');
  const why = isLost ? `: the page is ${base.split(/[,/]/)[0]}…, to which no address is relative` : '';
  return `is not an address: ${address}${why}. Write it as in /api or https://pay.example/api`;
}

/** How many letters differ: inserted, removed or replaced. */
function distance(from: string, to: string) {
  let row = [...to, ''].map((_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      next.push(Math.min(row[j + 1] + 1, next[j] + 1, row[j] + Number(letter !== other)));
    }
    row = next;
  }
  return row[to.length];
}

/** A name without the difference between capitals and hyphens. */
const plain = (name: string) => name.toLowerCase().replace(/[-_]/g, '');

/** The known name that differs by at most two letters. */
export function near(name: string, known: readonly string[]) {
  const far = (other: string) => distance(plain(name), plain(other));
  const [nearest] = [...known].sort((a, b) => far(a) - far(b));
  // In a short name two letters are too many.
  return far(nearest) <= Math.min(2, nearest.length / 2) ? nearest : undefined;
}
