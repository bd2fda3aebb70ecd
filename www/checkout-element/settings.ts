// The element, its settings and its events, as its parts see them.

import type { Attributes } from './attributes.ts';

/** The element. */
export interface Checkout extends HTMLElement {
  readonly debug: boolean;
  readonly request: object | undefined;
}

/** What the page says about a checkout: attributes by the names of their properties, and two properties. */
export interface Settings extends Partial<Attributes> {
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
