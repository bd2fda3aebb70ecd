// The attributes of an element, as the page has set them.

import { type PropertyName, propertyOf } from '../shared/custom-element.ts';
import { ATTRIBUTES } from './printed/surface.ts';
import { claimsOf } from './signed-order.ts';

/** Attributes with a value, by the names of their properties. */
export type Attributes = { [Name in (typeof ATTRIBUTES)[number] as PropertyName<Name>]?: string };

/** The attributes of an element, with what a signed order says in place of those that are absent. */
export function withOrder(attributes: Attributes): Attributes {
  const { amount, currency, label } = claimsOf(attributes.order) ?? {};
  // The price is both or neither.
  const price = attributes.amount || attributes.currency ? {} : { amount: text(amount), currency: text(currency) };
  return { ...attributes, ...price, orderLabel: attributes.orderLabel ?? text(label) };
}

const text = (claim: unknown) => (['string', 'number'].includes(typeof claim) ? String(claim) : undefined);

/** The attributes of an element that are not empty, by the names of their properties. */
export const given = (element: Element): Attributes =>
  Object.fromEntries(ATTRIBUTES.map((name) => [propertyOf(name), element.getAttribute(name) || undefined]));
