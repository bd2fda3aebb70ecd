// The choice of methods, drawn without the wasm out of the data that the build took from the wasm's own views.

import { codeOf, like, written } from './amounts.js';
import { AT, BUTTONS, SCREEN, SUMS, TEXTS } from './payment-checkout-choice.js';

/** @typedef {import('./payment-checkout-choice.js').Drawn} Drawn */

/**
 * The attributes of an element, its properties and languages.
 * @typedef {{ attributes: Record<string, string | undefined>, request: unknown, messages: unknown, locale: string, page: string }} Facts
 */

/** The values of the places, and the methods on offer. @typedef {{ values: Record<string, string | undefined>, methods: string[] }} Filled */

const LOCALES = /** @type {Record<string, string>} */ ({ es: 'es-PE', en: 'en', pt: 'pt-BR' });

/** @param {string} tag */
const primary = (tag) => tag.split(/[-_]/)[0].toLowerCase();

/** The language of ours for a locale: Spanish for any other. @param {string} locale */
const languageOf = (locale) => (Object.keys(TEXTS).includes(primary(locale)) ? primary(locale) : 'es');

/**
 * The texts of this screen alone, in the order of all texts: the wasm draws it with them if the others are late.
 * @param {string} locale @param {Record<string, unknown>} [own] the texts of the page
 */
export function choiceTexts(locale, own = {}) {
  /** @type {import('./wordings.js').Texts} */
  const texts = [];
  for (const [key, text] of Object.entries(TEXTS[languageOf(locale)])) {
    const wording = own[key];
    texts[AT[key]] = typeof wording === 'string' ? [wording] : text;
  }
  return texts;
}

/**
 * The screen, or nothing where the wasm may show another one.
 * @param {Facts} facts
 * @returns {Node | undefined}
 */
export function choice(facts) {
  const filled = isFirst(facts) && fill(facts);
  return filled ? nodes(SCREEN, filled)[0] : undefined;
}

/** True when nothing can be resumed, and nothing is missing. @param {Facts} facts */
function isFirst({ attributes: given, request }) {
  const { baseUrl, authorizeUrl, statusUrl, cancelUrl, merchantCode, merchantOperationNumber } = given;
  return (
    Boolean(baseUrl || (authorizeUrl && statusUrl && cancelUrl)) &&
    !(merchantCode && merchantOperationNumber) &&
    (request == null || JSON.stringify(request).startsWith('{')) &&
    !new URLSearchParams(location.search).has('checkout') &&
    !keptKeys().some((key) => key.startsWith('payment-checkout:'))
  );
}

function keptKeys() {
  try {
    return Object.keys(sessionStorage);
  } catch {
    // Without a storage nothing is kept.
    return [];
  }
}

/** The methods on offer: those that there are, each once. @param {string} [methods] */
export const offers = (methods = 'QR INSTALLMENT') => [...new Set(methods.split(/\s+/))].filter((name) => Object.keys(BUTTONS).includes(name));

/** @param {Facts} facts @returns {Filled | undefined} */
function fill({ attributes: given, messages, locale, page }) {
  const methods = offers(given.methods);
  if (methods.length === 0) return undefined;
  const language = languageOf(locale);
  const lang = LOCALES[language];
  const { amount, currency, merchantName, payeeName, orderLabel, wallets, headingLevel } = given;
  const code = amount && currency && codeOf(amount, currency);
  if (amount && currency && !code) return undefined;
  const texts = { ...TEXTS[language] };
  const own = Object.entries(messages ?? {}).filter(([key]) => key in texts);
  const isForeign = primary(page) !== language;
  for (const [key, text] of own) {
    // The wasm tells the language of such a text, and what to fill in.
    if (typeof text !== 'string' || isForeign || /\{(?!(order|wallets)\})/.test(text)) return undefined;
    texts[key] = text;
  }
  const values = {
    ...texts,
    'bill.order': texts['bill.order'].replace('{order}', () => orderLabel ?? ''),
    'choose.heading': texts[methods.length === 1 ? 'choose.one-heading' : 'choose.heading'],
    'method.qr-wallets': wallets ? texts['method.qr-wallets'].split('{wallets}').join(wallets) : texts['method.qr-about'],
    amount: code && like(SUMS[language][code], given.amount ?? ''),
    heading: /^[1-6]$/.test(headingLevel ?? '') ? `h${headingLevel}` : 'h2',
    lang,
    merchant: merchantName ?? payeeName,
    order: orderLabel,
    page: isForeign ? page : undefined,
    // The browser says it once the screen stands.
    spoken: '',
  };
  return { values, methods };
}

/** Writes the amount of a screen as the browser does, to be seen and heard. @param {Element} screen @param {Facts} facts */
export function rewrite(screen, { attributes: { amount, currency }, locale }) {
  const place = screen.querySelector('[part=amount]');
  if (!place || !amount || !currency) return;
  const { seen, heard } = written(LOCALES[languageOf(locale)], amount, currency);
  if (place.textContent !== seen) place.textContent = seen;
  const spoken = place.nextElementSibling;
  if (spoken) spoken.textContent = heard;
}

/** @param {Drawn} drawn @param {Filled} filled @returns {Node[]} */
function nodes(drawn, filled) {
  const { values, methods } = filled;
  if (drawn === '{methods}') return methods.flatMap((name) => nodes(BUTTONS[name], filled));
  const at = (/** @type {string} */ text) => (/^\{.+\}$/.test(text) ? values[text.slice(1, -1)] : text);
  if (typeof drawn === 'string') return [document.createTextNode(at(drawn) ?? '')];
  const [tag, attributes, children, when] = drawn;
  if (when && !values[when]) return [];
  const name = at(tag) ?? '';
  const node = /^(svg|path)$/.test(name) ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    const text = at(value);
    if (text !== undefined) node.setAttribute(key, text);
  }
  node.append(...children.flatMap((child) => nodes(child, filled)));
  return [node];
}
