// Logs for a developer what is wrong with the page or its server. The element loads this module only when something seems
// wrong, or when the page has the attribute `debug`. Payers see nothing of it. Nothing here names a person, a secret, or a
// code to pay with.

import { diagnose } from '../shared/diagnosis.ts';
import type { Finding } from '../shared/finding.ts';
import { type FailedLoad, findLoad } from '../shared/load-diagnosis.ts';
import { findAnswer } from './diagnostics/answer.ts';
import { findAmount, findContinueUrl, findPicture } from './diagnostics/offer.ts';
import { findEvent, findPage } from './diagnostics/page.ts';
import type { Exchange } from './exchange.ts';
import type { Broken } from './page-rules.ts';
import type { Checkout, Settings } from './settings.ts';

/** What each search for mistakes looks at. */
interface Searched {
  configuration: { settings: Settings; broken: Broken[] };
  event: string;
  exchange: Exchange;
  error: { code: string; settings: Settings; exchange: Exchange | undefined };
  load: FailedLoad;
}

/** What is explained, by its kind. */
export interface Facts extends Searched {
  step: Step;
}

type Found = Finding | Finding[];
type Search<Kind extends keyof Searched> = (facts: Searched[Kind], element: Checkout) => Found | Promise<Found>;

const SEARCHES: { [Kind in keyof Searched]: Search<Kind> } = {
  configuration: findPage,
  event: findEvent,
  exchange: findAnswer,
  error: ({ code, settings, exchange }) => {
    if (code === 'amount-mismatch') return findAmount(settings, exchange);
    return code === 'qr-image' ? findPicture(exchange) : findContinueUrl(settings, exchange);
  },
  load: findLoad,
};

/** The sentences that were reported, by element. */
const reported = new WeakMap<Checkout, Set<string>>();

export async function explain<Kind extends keyof Facts>(element: Checkout, kind: Kind, facts: Facts[Kind]) {
  if (kind === 'step') return step(element, facts as Step);
  try {
    const search = SEARCHES[kind as keyof Searched] as (facts: Facts[Kind], element: Checkout) => Found | Promise<Found>;
    for (const finding of [await search(facts, element)].flat()) report(element, finding);
  } catch (reason) {
    diagnose('info', () => ['payment-checkout: a mistake could not be looked into', reason]);
  }
}

/** Reports each finding once. */
function report(element: Checkout, { code, is, mild }: Finding) {
  const known = reported.get(element) ?? new Set();
  reported.set(element, known);
  const sentence = `payment-checkout: ${is} (docs/diagnostics.md#${code})`;
  // The same failure has another id in the server's log each time.
  const same = sentence.replace(/ Its log has the request as \S+/, '');
  if (known.has(same)) return;
  known.add(same);
  diagnose(mild ? 'warn' : 'error', () => [sentence]);
}

/** The fields of an event that name no person, no amount and no code. */
const LOGGED_FIELDS = ['state', 'previous', 'action', 'method', 'outcome', 'code', 'retryable', 'resumed', 'paidTwice', 'message'];

/** An event of the element, or a request. */
type Step = { name: 'request'; detail: Exchange } | { name: string; detail?: object | null };

/** Logs a step of a checkout, for the attribute `debug`. */
function step(element: Checkout, { name, detail }: Step) {
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
