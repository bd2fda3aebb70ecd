// The attributes of the element. Its class says what each is for.

import { type PropertyName, propertyOf } from '../shared/custom-element.ts';

/** The attributes with a value. */
export const ATTRIBUTES = [
  'amount',
  'authorize-url',
  'base-url',
  'cancel-url',
  'currency',
  'heading-level',
  'live-url',
  'locale',
  'merchant-code',
  'merchant-name',
  'merchant-operation-number',
  'methods',
  'order-label',
  'payee-name',
  'redirect-hosts',
  'redirect-url',
  'status-url',
  'transaction-id',
  'wallets',
  'help-url',
  'page-url',
] as const;

/** The attribute that the wasm does not read: it is for when the wasm cannot run. */
export const PAGE_URL = 'page-url';

/** The attributes that are there or not. */
export const SWITCHES = ['debug'] as const;

/** The attributes that tell one checkout from another; the property `request` does, too. */
export const IDENTITY = ['base-url', 'authorize-url', 'status-url', 'cancel-url', 'merchant-code', 'merchant-operation-number'] as const;

/** Attributes with a value, by the names of their properties. */
export type Attributes = { [Name in (typeof ATTRIBUTES)[number] as PropertyName<Name>]?: string };

/** The attributes of an element that are not empty, by the names of their properties. */
export const given = (element: Element): Attributes =>
  Object.fromEntries(
    ATTRIBUTES.filter((name) => name !== PAGE_URL).map((name) => [propertyOf(name), element.getAttribute(name) || undefined]),
  );
