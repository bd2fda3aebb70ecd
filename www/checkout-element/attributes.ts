// The attributes of an element, as the page has set them.

import { type PropertyName, propertyOf } from '../shared/custom-element.ts';
import { isAddress } from '../shared/web-address.ts';
import { ATTRIBUTES } from './printed/surface.ts';
import { claimsOf } from './signed-order.ts';

/** Attributes with a value, by the names of their properties. */
export type Attributes = { [Name in (typeof ATTRIBUTES)[number] as PropertyName<Name>]: string | undefined };

/** The attributes of an element, with what a signed order says in place of those that are absent. */
export function withOrder(attributes: Attributes): Attributes {
  const { amount, currency, label } = claimsOf(attributes.order) ?? {};
  // The price is both or neither.
  const price = attributes.amount || attributes.currency ? {} : { amount: text(amount), currency: text(currency) };
  return { ...attributes, ...price, orderLabel: attributes.orderLabel ?? text(label) };
}

const text = (claim: unknown) => (['string', 'number'].includes(typeof claim) ? String(claim) : undefined);

/** The addresses that each payment needs. */
const NEEDED = ['base-url', 'authorize-url', 'status-url', 'cancel-url'];

/** All attributes with an address for requests. */
export const ADDRESSES = [...NEEDED, 'live-url'];

/** The attributes with an address for requests to which none can be made. */
export function unusableAddresses(element: Element) {
  return ADDRESSES.filter((name) => {
    const address = element.getAttribute(name);
    return address && !isAddress(address);
  });
}

/**
 * The attributes of an element that are not empty, by the names of their properties. An address of no use counts as
 * absent. All that a payment needs do then, so that none is begun at one address and looked for at another.
 */
export function given(element: Element): Attributes {
  const unusable = unusableAddresses(element);
  const absent = unusable.some((name) => NEEDED.includes(name)) ? [...unusable, ...NEEDED] : unusable;
  const of = (name: string) => (absent.includes(name) ? undefined : element.getAttribute(name) || undefined);
  return Object.fromEntries(ATTRIBUTES.map((name) => [propertyOf(name), of(name)])) as Attributes;
}
