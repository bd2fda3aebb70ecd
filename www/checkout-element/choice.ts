// The choice of methods, drawn without the wasm from data that are printed from the wasm's own views.

import { headingLevel } from '../shared/custom-element.ts';
import { languageOf } from '../shared/locale.ts';
import { codeOf, like, written } from './amounts.ts';
import type { Attributes } from './attributes.ts';
import { AMOUNT_SAMPLES, type Drawn, METHOD_BUTTONS, SCREEN, TEXT_INDEX, TEXTS } from './printed/first-screen.ts';
import { LOCALES, METHODS, RETURN_PARAMETER, STORAGE_PREFIX } from './printed/surface.ts';
import { claimsOf } from './signed-order.ts';

/** What the screen depends on. */
export interface Facts {
  attributes: Attributes;
  request: unknown;
  messages: unknown;
  /** True when the page shows the choice. */
  hidesChoice: boolean;
  /** The language of the element, one of its own. */
  locale: string;
  /** The language of the page around it. */
  page: string;
}

/** Texts for the wasm, each at its place in the list of all texts. The wasm reads no `undefined` in place of a list. */
export interface Texts {
  /** Texts of a language that the wasm does not have. */
  texts: (string | undefined)[];
  /** Texts of the page, which replace those of the language. */
  overrides: (string | undefined)[];
  /** The language of the texts of the page, if it is one that the element does not have, and its direction. */
  textsLocale: string | undefined;
  textsDirection: string | undefined;
}

/** The values for the places in the data, and the methods on offer. */
interface Filled {
  values: Record<string, string | undefined>;
  methods: string[];
}

/** The texts of only this screen, with those of the page: the wasm draws the screen with them if the others are late. */
export function choiceTexts(locale: string, own: Record<string, unknown> = {}): Texts {
  const texts: (string | undefined)[] = [];
  const overrides: (string | undefined)[] = [];
  for (const [key, text] of Object.entries(TEXTS[languageOf(locale)])) {
    const wording = own[key];
    texts[TEXT_INDEX[key]] = text;
    if (typeof wording === 'string') overrides[TEXT_INDEX[key]] = wording;
  }
  return { texts, overrides, textsLocale: undefined, textsDirection: undefined };
}

/** The screen, or nothing if the wasm may show another one. */
export function choice(facts: Facts): Node | undefined {
  const filled = isFirst(facts) && fill(facts);
  return filled ? nodes(SCREEN, filled)[0] : undefined;
}

/** True when no operation can be resumed, and no setting is missing. */
function isFirst({ attributes, request, hidesChoice }: Facts) {
  const { baseUrl, authorizeUrl, statusUrl, cancelUrl, merchantCode, merchantOperationNumber } = attributes;
  return (
    !hidesChoice &&
    Boolean(baseUrl || (authorizeUrl && statusUrl && cancelUrl)) &&
    !(merchantCode && merchantOperationNumber) &&
    (request == null || JSON.stringify(request).startsWith('{')) &&
    !new URLSearchParams(location.search).has(RETURN_PARAMETER) &&
    !keptKeys().some((key) => key.startsWith(STORAGE_PREFIX))
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

/** The known methods of the attribute, without duplicates, as far as a signed order in the request does not leave them out. */
export function offers(methods = 'QR INSTALLMENT', request?: unknown) {
  const claimed = claimsOf((request as { order?: unknown } | undefined)?.order)?.methods;
  const narrows = Array.isArray(claimed) && claimed.length > 0 && claimed.every((name) => typeof name === 'string');
  return [...new Set(methods.split(/\s+/))].filter((name) => METHODS.includes(name) && !(narrows && !claimed.includes(name)));
}

function fill({ attributes, request, messages, locale, page }: Facts): Filled | undefined {
  const methods = offers(attributes.methods, request);
  if (methods.length === 0) return undefined;
  const language = languageOf(locale);
  const lang = LOCALES[language];
  const { amount, currency, merchantName, payeeName, orderLabel, wallets } = attributes;
  const code = amount && currency && codeOf(amount, currency);
  if (amount && currency && !code) return undefined;
  // Only the wasm knows how the browser writes in another language.
  if ((messages as { locale?: unknown } | undefined)?.locale) return undefined;
  const texts = { ...TEXTS[language] };
  const own = Object.entries(messages ?? {}).filter(([key]) => key in texts);
  const isForeign = languageOf(page) !== language;
  for (const [key, text] of own) {
    // Only the wasm marks the language of such a text, and fills in other values.
    if (typeof text !== 'string' || isForeign || /\{(?!(order|wallets)\})/.test(text)) return undefined;
    texts[key] = text;
  }
  const values = {
    ...texts,
    'bill.order': texts['bill.order'].replace('{order}', () => orderLabel ?? ''),
    'choose.heading': texts[methods.length === 1 ? 'choose.one-heading' : 'choose.heading'],
    'method.qr-wallets': wallets ? texts['method.qr-wallets'].split('{wallets}').join(wallets) : texts['method.qr-about'],
    amount: code && like(AMOUNT_SAMPLES[language][code], amount ?? ''),
    heading: `h${headingLevel(attributes.headingLevel)}`,
    lang,
    merchant: merchantName ?? payeeName,
    order: orderLabel,
    page: isForeign ? page : undefined,
    // `rewrite` fills it in.
    spoken: '',
  };
  return { values, methods };
}

/** Replaces the amount of a screen by that of the browser's formatter, to be seen and to be heard. */
export function rewrite(screen: Element, { attributes: { amount, currency }, locale }: Facts) {
  const place = screen.querySelector('[part=amount]');
  if (!place || !amount || !currency) return;
  const { seen, heard } = written(LOCALES[languageOf(locale)], amount, currency);
  if (place.textContent !== seen) place.textContent = seen;
  const spoken = place.nextElementSibling;
  if (spoken) spoken.textContent = heard;
}

function nodes(drawn: Drawn, filled: Filled): Node[] {
  const { values, methods } = filled;
  if (drawn === '{methods}') return methods.flatMap((name) => nodes(METHOD_BUTTONS[name], filled));
  const at = (text: string) => (/^\{.+\}$/.test(text) ? values[text.slice(1, -1)] : text);
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
