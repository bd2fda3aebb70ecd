// The element, its settings and its events, as its parts see them.

import { isOf } from '../shared/locale.ts';
import { webAddress } from '../shared/web-address.ts';
import { type Attributes, unusableAddresses } from './attributes.ts';
import { LOCALES } from './printed/surface.ts';
import { claimsOf } from './signed-order.ts';

/** The element. */
export interface Checkout extends HTMLElement {
  readonly debug: boolean;
  readonly request: object | undefined;
}

/** What the page says about a checkout: attributes by the names of their properties, and two properties. */
export interface Settings extends Attributes {
  request?: unknown;
  messages?: unknown;
}

/** The detail of an event, as far as the element reads or writes it. */
export interface Detail {
  method?: string;
  merchantCode?: string;
  merchantOperationNumber?: string;
  transactionId?: string | null;
  outcome?: string;
  resumed?: boolean;
  url?: string;
  state?: string;
  previous?: string;
  code?: string;
  retryable?: boolean;
  message?: string;
  status?: number | null;
  problem?: string | null;
  requestId?: string | null;
}

/** The addresses of help that the payer is led to: they run nothing. */
export const HELP = /^(https:\/\/|mailto:|tel:|\/(?!\/))/;

/** The attribute whose language has no texts here, unless the page has texts of that language. */
export function unknownLanguage(element: Checkout, { messages }: Settings): string | undefined {
  const name = element.hasAttribute('fallback-locale') ? 'fallback-locale' : 'locale';
  if (name === 'locale' && (messages as { locale?: unknown } | undefined)?.locale) return undefined;
  const tag = element.getAttribute(name);
  return !tag || isOf(LOCALES, tag) ? undefined : name;
}

/** The attribute that is of no use, or one like it: an address that is none, or an order that is not signed. */
export function unusableAttribute(element: Checkout): 'order' | 'paid-url' | 'base-url' | undefined {
  if (unusableAddresses(element).length > 0) return 'base-url';
  const [order, paidUrl] = [element.getAttribute('order'), element.getAttribute('paid-url')];
  if (order && !claimsOf(order)) return 'order';
  return paidUrl && !webAddress(paidUrl, document.baseURI) ? 'paid-url' : undefined;
}
