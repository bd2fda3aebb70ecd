// Tells a developer, in the console, what is wrong with the page or its server. The element loads this
// module only when something seems wrong, or when the page has the attribute `debug`. Payers never see
// any of it. Nothing here names a person, a secret, or a code to pay with.

import { diagnose } from '../shared/diagnosis.js';
import { findLoad } from '../shared/load-diagnosis.js';
import { findAnswer } from './diagnostics/answer.js';
import { findAmount, findContinueUrl, findPicture } from './diagnostics/offer.js';
import { findEvent, findPage } from './diagnostics/page.js';
import { step } from './diagnostics/steps.js';

/** @typedef {import('../shared/finding.js').Finding} Finding */

/** The ways to look for mistakes. @type {Record<string, (facts: any, element: any) => Finding[] | Promise<Finding[]>>} */
const LOOKS = {
  configuration: findPage,
  event: findEvent,
  exchange: findAnswer,
  error: ({ code, options, exchange }) => {
    if (code === 'amount-mismatch') return findAmount(options, exchange);
    return code === 'qr-image' ? findPicture(exchange) : findContinueUrl(options, exchange);
  },
  load: findLoad,
};

/** The sentences that were told, by element. @type {WeakMap<object, Set<string>>} */
const told = new WeakMap();

/**
 * @param {any} element
 * @param {string} what
 * @param {any} facts
 */
export async function explain(element, what, facts) {
  if (what === 'step') return step(element, facts);
  try {
    for (const { code, is, mild } of await LOOKS[what](facts, element)) tell(element, code, is, mild);
  } catch (reason) {
    diagnose('info', () => ['payment-checkout: a mistake could not be looked into', reason]);
  }
}

/** Each once. @param {object} element @param {string} code @param {string} is @param {boolean} [mild] */
function tell(element, code, is, mild = false) {
  const known = told.get(element) ?? new Set();
  told.set(element, known);
  const sentence = `payment-checkout: ${is} (docs/diagnostics.md#${code})`;
  // The same failure has another id in the server's log each time.
  const same = sentence.replace(/ Its log has the request as \S+/, '');
  if (known.has(same)) return;
  known.add(same);
  diagnose(mild ? 'warn' : 'error', () => [sentence]);
}
