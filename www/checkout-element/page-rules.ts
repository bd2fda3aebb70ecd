// What a page can get wrong in its tag and its properties. The element looks for it at once, so a sound page loads nothing
// for it. `diagnostics/page.ts` has the sentences, and is loaded for a page that breaks a rule.

import { headingLevel, propertyOf } from '../shared/custom-element.ts';
import { isOf } from '../shared/locale.ts';
import { addressOf, webAddress } from '../shared/web-address.ts';
import { ADDRESSES, type Attributes, unusableAddresses } from './attributes.ts';
import { ATTRIBUTES, HELP, LOCALES, METHODS, SLOTS, SWITCHES } from './printed/surface.ts';
import type { Checkout, Settings } from './settings.ts';
import { claimsOf } from './signed-order.ts';

/** A host, with its port if that is not the usual one. */
const HOST = /^(\[[\da-f:.]+\]|[^\s/:,@*?#\\]+)(:(?!443$)\d+)?$/i;

/** A place for a number of the operation that no address has. */
const PLACE = /\{(?!(merchant_code|merchant_operation_number|transaction_id)\})/;

/** A value that was not there when the page was made, or a template that nothing filled. */
const UNFILLED = /^(undefined|null|NaN|\[object .*)$|\{\{|\$\{|<%/;

/** Attributes that every element may have, and those of frameworks. */
const OTHERS = /^(class|id|style|slot|lang|dir|hidden|title|tabindex|part|role|inert|is|nonce|state|(on|data|aria|x|v|_).*|.*[:@].*)$/;

const words = (text = '') => text.split(/\s+/).filter(Boolean);

const isNoPage = (url: string | undefined) => url && !webAddress(url);

/** Those of these attributes whose values have a fault. */
const those = (names: readonly string[], page: Settings, isFaulty: (value: string) => unknown) =>
  names.filter((name) => isFaulty(page[propertyOf(name) as keyof Attributes] ?? ''));

const isJson = (value: unknown) => {
  try {
    return JSON.stringify(value) !== '';
  } catch {
    return false;
  }
};

/** The rules. Each returns what breaks it: the names, or anything that is true. */
export const RULES = {
  'base-url': ({ baseUrl, authorizeUrl, statusUrl, cancelUrl }, element) =>
    !baseUrl && !(authorizeUrl && statusUrl && cancelUrl) && unusableAddresses(element).length === 0,
  address: (_, element) => unusableAddresses(element),
  scheme: (page) => those(ADDRESSES, page, (url) => /^(?!https?:)[a-z][a-z\d+.-]*:/i.test(url)),
  place: (page) => [
    ...those(['status-url', 'cancel-url'], page, (url) => PLACE.test(url)),
    ...those(['base-url', 'authorize-url', 'live-url'], page, (url) => url.includes('{')),
  ],
  amount: ({ amount }) => amount && !/^\d+$/.test(amount),
  price: ({ amount, currency }) => !amount !== !currency,
  currency: ({ currency }) => currency && !/^([a-z]{3}|\d{3})$/i.test(currency),
  methods: ({ methods }) => words(methods).filter((word) => !METHODS.includes(word)),
  twice: ({ methods }) => words(methods).filter((word, at, all) => all.indexOf(word) < at),
  operation: ({ merchantCode, merchantOperationNumber, transactionId }) =>
    !merchantCode !== !merchantOperationNumber || (transactionId && !merchantCode),
  'help-url': ({ helpUrl = '/' }) => !HELP.test(helpUrl),
  order: ({ order }) => order && !claimsOf(order),
  'page-url': ({ pageUrl }) => isNoPage(pageUrl),
  'paid-url': ({ paidUrl }) => isNoPage(paidUrl),
  'redirect-url': ({ redirectUrl }) => redirectUrl && !addressOf(redirectUrl),
  'redirect-hosts': ({ redirectHosts }) => words(redirectHosts).filter((host) => !HOST.test(host)),
  locale: ({ locale, fallbackLocale, messages }) =>
    fallbackLocale
      ? !isOf(LOCALES, fallbackLocale) && 'fallback-locale'
      : locale && !isOf(LOCALES, locale) && !(messages as { locale?: unknown } | undefined)?.locale && 'locale',
  'heading-level': ({ headingLevel: level }) => level && String(headingLevel(level)) !== level,
  switch: (_, element) => SWITCHES.filter((name) => /^(false|0|no|off)$/i.test(element.getAttribute(name) ?? '')),
  unfilled: (page) => those(ATTRIBUTES, page, (value) => UNFILLED.test(value)),
  messages: ({ messages }) => messages && typeof messages !== 'object',
  request: ({ request }) => (request != null && (typeof request !== 'object' || Array.isArray(request))) || !isJson(request),
  sandbox: () => frameElement?.hasAttribute('sandbox'),
  attribute: (_, element) => element.getAttributeNames().filter((name) => !isAttribute(name) && !OTHERS.test(name)),
  property: (_, element) => Object.keys(element).filter((name) => !/^[_$]/.test(name)),
  slot: (_, element) => [...element.children].map(({ slot }) => slot).filter((slot) => slot && !SLOTS.includes(slot)),
} satisfies Record<string, (page: Settings, element: Checkout) => unknown>;

export type RuleName = keyof typeof RULES;

/** A rule that a page breaks, what breaks it, and the value of an attribute of that name when it was judged. */
export type Broken = [rule: RuleName, name: string, value: string];

const isAttribute = (name: string) => ([...ATTRIBUTES, ...SWITCHES] as string[]).includes(name);

/** The rules that a page breaks. */
export function brokenRules(page: Settings, element: Checkout): Broken[] {
  return (Object.keys(RULES) as RuleName[]).flatMap((rule) =>
    [RULES[rule](page, element)].flat().flatMap((it): Broken[] => {
      const name = String(it);
      return it ? [[rule, name, page[propertyOf(name) as keyof Attributes] ?? element.getAttribute(name) ?? '']] : [];
    }),
  );
}
