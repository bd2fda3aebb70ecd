// The steps of a checkout, for the attribute `debug`.

import { diagnose } from '../../shared/diagnosis.js';

/** The fields of an event that name no person, no amount and no code. */
const SAID = ['state', 'previous', 'action', 'method', 'outcome', 'code', 'retryable', 'resumed', 'paidTwice', 'message'];

/** @param {any} element @param {{ name: string, detail: any }} facts */
export function step(element, { name, detail }) {
  diagnose('info', () => [`payment-checkout: ${label(element)}${name} ${name === 'request' ? request(detail) : said(detail)}`.trim()]);
}

/** Several elements of a page are told apart by their ids. @param {Element} element */
const label = ({ id }) => (id ? `#${id}: ` : '');

/** @param {import('../exchange.js').Exchange} exchange */
function request({ method, url, response, took }) {
  const held = response?.headers.get('preference-applied') ? ', held' : '';
  return `${method} ${url.split(/[?#]/)[0]}: ${response?.status ?? 'no answer'} after ${took} ms${held}`;
}

/** @param {Record<string, any> | null | undefined} detail */
function said(detail) {
  const known = SAID.filter((name) => detail && name in detail);
  return known.map((name) => `${name}=${detail?.[name]}`).join(' ');
}
