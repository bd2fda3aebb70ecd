// Mistakes of the page: in the tag, its content, its properties, and the names of events.

import { propertyOf } from '../../shared/custom-element.ts';
import type { Finding } from '../../shared/finding.ts';
import { isAddress } from '../../shared/web-address.ts';
import { unusableAddresses } from '../attributes.ts';
import { EVENTS, METHODS, SLOTS } from '../printed/surface.ts';
import { lacks } from '../sandbox.ts';
import { type Checkout, HELP, type Settings, unknownLanguage, unusableAttribute } from '../settings.ts';

const ADDRESSES = ['authorizeUrl', 'statusUrl', 'cancelUrl'] as const;

export function findPage(options: Settings, element: Checkout): Finding[] {
  return [...findSettings(element, options), ...findNames(element), ...findSandbox(options)];
}

/** What does not work in a frame whose `sandbox` lacks a word. */
function findSandbox({ helpUrl }: Settings): Finding[] {
  const lost = [
    ['allow-downloads', 'nothing can be saved, so it is not offered'],
    ['allow-modals', 'nothing can be printed, so it is not offered'],
    ...(lacks('allow-top-navigation') ? [['allow-top-navigation-by-user-activation', 'no payer gets to a lender or bank']] : []),
    ...(helpUrl ? [['allow-popups', 'no payer gets to your help']] : []),
  ];
  return lost
    .filter(([word]) => lacks(word))
    .map(([word, so]) => ({ code: 'sandbox', is: `the sandbox of the frame around this page lacks ${word}: ${so}`, mild: true }));
}

function findSettings(element: Checkout, options: Settings): Finding[] {
  const { baseUrl, amount, currency, methods, request, headingLevel, messages, redirectUrl } = options;
  const found: Finding[] = [];
  const say = (code: Finding['code'], is: string) => found.push({ code, is });
  const noAddresses = unusableAddresses(element);
  if (!baseUrl && !ADDRESSES.every((name) => options[name]) && noAddresses.length === 0) {
    say('base-url', 'base-url is missing: it says where your server answers, as in base-url="/api"');
  }
  for (const name of noAddresses) say('base-url', `${name} ${whyNoAddress(element.getAttribute(name) ?? '')}`);
  if (amount && !/^\d+$/.test(amount)) {
    say('amount', `amount is not in whole cents: ${amount}. 129.90 is amount="12990"`);
  }
  if (Boolean(amount) !== Boolean(currency)) say('amount', 'amount and currency go together; one of them is missing');
  if (currency && !/^([a-z]{3}|\d{3})$/i.test(currency)) say('amount', `currency is no code of ISO 4217, as in PEN or 604: ${currency}`);
  const words = methods?.split(/\s+/).filter(Boolean) ?? [];
  for (const [at, method] of words.entries()) {
    if (words.indexOf(method) < at) say('methods', `methods names "${method}" twice; it is offered once`);
    if (METHODS.includes(method)) continue;
    const meant = method.includes(',') ? method.toUpperCase().split(',').filter(Boolean).join(' ') : near(method, METHODS);
    say(
      'methods',
      `methods names "${method}", which is none and is not offered${meant ? ` (did you mean ${meant}?)` : ''}. Known, separated by spaces: ${METHODS.join(' ')}`,
    );
  }
  if (Boolean(options.merchantCode) !== Boolean(options.merchantOperationNumber)) {
    say('operation', 'merchant-code and merchant-operation-number go together; one of them is missing, so no operation is shown');
  }
  if (messages && typeof messages !== 'object')
    say('messages', 'the property messages is not an object of texts, as in { "choose.heading": "Elige" }');
  if (redirectUrl && !isAddress(redirectUrl, document.baseURI))
    say('redirect-url', `redirect-url is not an address: ${redirectUrl}; the payer comes back to this page's own address`);
  if (!HELP.test(options.helpUrl ?? '/'))
    say('help-url', `help-url is no https:, mailto: or tel: address and no path: ${options.helpUrl}; no link to your help is shown`);
  const unusable = unusableAttribute(element);
  if (unusable === 'order') say('order', 'order is no order that your server signed, in three parts with dots; your server will refuse it');
  if (unusable === 'paid-url')
    say('paid-url', `paid-url is no address of a page: ${element.getAttribute('paid-url')}; no page follows the receipt`);
  const language = unknownLanguage(element, options);
  if (language)
    say(
      'locale',
      `${language}="${element.getAttribute(language)}" is none of es-PE, en and pt-BR, and changes nothing: the texts keep their language, or have the page's, or are Spanish`,
    );
  if (headingLevel && !/^[1-6]$/.test(headingLevel)) say('heading-level', `heading-level is not 1 to 6: ${headingLevel}; it counts as 2`);
  if (request !== undefined && request !== null && (typeof request !== 'object' || Array.isArray(request))) {
    say('request', 'the property request is not an object, as in { order_id: "1001" }');
  } else if (!isJson(request)) say('request', 'the property request cannot be written as JSON');
  return found;
}

/** Names that are nearly known: of attributes, properties, and slots. */
function findNames(element: Checkout): Finding[] {
  const { observedAttributes: attributes } = element.constructor as unknown as { observedAttributes: string[] };
  const properties = [...attributes.map(propertyOf), 'request', 'messages'];
  const slots = [...element.children].map(({ slot }) => slot).filter(Boolean);
  return [
    ...meant('attribute', element.getAttributeNames(), attributes),
    ...meant('property', Object.keys(element), properties),
    ...meant('slot', slots, SLOTS),
  ];
}

export const findEvent = (name: string): Finding[] => meant('event', [name], EVENTS);

function meant(kind: string, given: string[], known: readonly string[]): Finding[] {
  return given.flatMap((name) => {
    if (known.includes(name)) return [];
    const other = near(name, known);
    return other ? [{ code: 'name', is: `there is no ${kind} "${name}"; did you mean "${other}"?` }] : [];
  });
}

/** An address may have a password in it, so that only one without is printed. */
function whyNoAddress(address: string) {
  if (/^[^?#]*@/.test(address)) return 'has a name or a password in it, to which no browser makes a request';
  const base = document.baseURI;
  const isRelative = !/^[a-z][a-z\d+.-]*:/i.test(address);
  const hint =
    isRelative && !isAddress('/', base) ? `; the page is ${base.split(/[,/]/)[0]}…, to which no address is relative: write it whole` : '';
  return `is not an address: ${address}${hint}`;
}

function isJson(value: unknown) {
  try {
    return JSON.stringify(value) !== '';
  } catch {
    return false;
  }
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
