// A merchant's server with one order, and an address by which a person decides what the payment service says next.

import { TestServer } from '../../testing/index.mjs';

/** @import { TestAnswer, TestRequest, TestServerOptions } from '../../types/testing.js' */
/** @typedef {'paid' | 'declined' | 'expired' | 'lost' | 'new-order'} Act */

/** `POST` to this address and the name of an act does it. The answer names what came of it: a key of the bar's texts. */
const ACTS = '/payment-checkout-try/';

/** Enough for the screen of a payer who waits for an answer. */
const LOST_ANSWERS = 3;

export class TryServer {
  #options;
  #order;

  constructor(/** @type {TestServerOptions} */ options = {}) {
    this.#options = options;
    this.#order = new TestServer(options);
  }

  /** As that of `TestServer`. */
  takes(/** @type {Pick<TestRequest, 'method' | 'url'>} */ request) {
    return Boolean(actOf(request)) || this.#order.takes(request);
  }

  /** As that of `TestServer`. @returns {Promise<TestAnswer | null | undefined>} */
  async handle(/** @type {TestRequest} */ request) {
    const act = actOf(request);
    if (!act) return this.#order.handle(request);
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: this.#does(/** @type {Act} */ (act)) };
  }

  #does(/** @type {Act} */ act) {
    if (act === 'new-order') {
      this.#order.close();
      this.#order = new TestServer(this.#options);
    } else if (act === 'lost') {
      this.#order.fails('start', 'lost', { times: LOST_ANSWERS });
    } else {
      if (!this.#order.operation) return 'nothing-yet';
      try {
        this.#order.becomes(act);
      } catch {
        return 'never';
      }
    }
    return act;
  }
}

function actOf(/** @type {Pick<TestRequest, 'method' | 'url'>} */ { method, url }) {
  const { pathname } = new URL(url, 'http://page.invalid');
  return method === 'POST' && pathname.startsWith(ACTS) ? pathname.slice(ACTS.length) : '';
}
