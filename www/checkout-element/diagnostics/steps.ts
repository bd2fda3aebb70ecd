// The steps of a checkout, for the attribute `debug`.

import { diagnose } from '../../shared/diagnosis.ts';
import type { Exchange } from '../exchange.ts';
import type { Checkout } from '../settings.ts';

/** The fields of an event that name no person, no amount and no code. */
const LOGGED_FIELDS = ['state', 'previous', 'action', 'method', 'outcome', 'code', 'retryable', 'resumed', 'paidTwice', 'message'];

/** An event of the element, or a request. */
export type Step = { name: 'request'; detail: Exchange } | { name: string; detail?: object | null };

/** Logs a step. */
export function step(element: Checkout, { name, detail }: Step) {
  const facts = name === 'request' ? request(detail as Exchange) : fields(detail);
  diagnose('info', () => [`payment-checkout: ${label(element)}${name} ${facts}`.trim()]);
}

/** Several elements of a page differ by their ids. */
const label = ({ id }: Element) => (id ? `#${id}: ` : '');

function request({ method, url, response, took }: Exchange) {
  const held = response?.headers.get('preference-applied') ? ', held' : '';
  return `${method} ${url.split(/[?#]/)[0]}: ${response?.status ?? 'no answer'} after ${took} ms${held}`;
}

function fields(detail: object | null | undefined) {
  const values = (detail ?? {}) as Record<string, unknown>;
  const known = LOGGED_FIELDS.filter((name) => name in values);
  return known.map((name) => `${name}=${values[name]}`).join(' ');
}
