// Answers that are older than their question: something between the page and the server keeps them.

import type { Finding } from '../../shared/finding.ts';

/** What the last answer at an address said of itself, and when it was looked at. */
const last = new Map<string, { stamp: string; at: number }>();

/** How far two answers of a server with the same `Date` may be apart, in milliseconds. */
const SAME_DATE_MS = 2000;

/** The element asks with this query once an answer was older than its question. */
export function findCache(url: string, headers: Headers): Finding[] {
  const [address = '', query] = url.split('?');
  if (!query?.includes('checkout-fresh=')) return [];
  const worker = navigator.serviceWorker?.controller?.scriptURL;
  const who = worker ? `the service worker ${worker} keeps them` : 'a cache keeps them, or the clock of your server stands still';
  const is = `some answers here were older than their question, by their Date: ${who}. Let it leave this address to the network`;
  const stamp = `${headers.get('date')} ${headers.get('x-request-id')}`;
  const before = last.get(address);
  if (before?.stamp !== stamp) last.set(address, { stamp, at: performance.now() });
  const isStill = before?.stamp === stamp && performance.now() - before.at >= SAME_DATE_MS;
  const found: Finding[] = [{ code: 'cached', is: `${is}. The element asks with the query checkout-fresh now, which no cache knows` }];
  if (isStill) {
    found.push({ code: 'cached', is: `${is}. It keeps answers whatever the query, so payers read that the store is slow to answer` });
  }
  return found;
}
