// A merchant's server with one order, and an address by which a person decides what the payment service says next.

import { TestServer } from '../../testing/index.mjs';

/** `POST` to this address and the name of an act does it. */
const ACTS = '/payment-checkout-try/';

export class TryServer {
  #options;
  #order;

  constructor(/** @type {import('../../types/testing.js').TestServerOptions} */ options = {}) {
    this.#options = options;
    this.#order = new TestServer(options);
  }

  /** As `TestServer.handle`. */
  async handle(/** @type {import('../../types/testing.js').TestRequest} */ request) {
    const { pathname } = new URL(request.url, 'http://page.invalid');
    if (request.method !== 'POST' || !pathname.startsWith(ACTS)) return this.#order.handle(request);
    const answer = (/** @type {number} */ status, /** @type {string} */ body) => ({ status, headers: { 'content-type': 'text/plain' }, body });
    try {
      return answer(200, this.#does(pathname.slice(ACTS.length)));
    } catch (/** @type {any} */ error) {
      return answer(409, error.message);
    }
  }

  /** @returns {string} what it did, for a person */
  #does(/** @type {string} */ act) {
    switch (act) {
      case 'paid':
      case 'declined':
      case 'expired':
        this.#order.becomes(act);
        return `The payment service says: ${act}.`;
      case 'lost':
        this.#order.fails('start', 'lost');
        return 'The next start is carried out, and its answer gets lost. Choose a method.';
      case 'new-order':
        this.#order.close();
        this.#order = new TestServer(this.#options);
        return 'This is a new order.';
      default:
        throw new Error(`There is no act ${act}.`);
    }
  }
}
