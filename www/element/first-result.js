// The first result of a checkout, as a promise for those who ask.

import { named } from './signed-order.js';

/** @typedef {{ promise: Promise<object>, resolve: (result: object) => void, reject: (reason: unknown) => void }} Asked */

/** The first result of the checkout that an element has, and of the next one when it is given another. */
export class FirstResult {
  #identity;
  /** The checkout that the element has. */
  #present = '';
  /** The checkout that runs. @type {string | undefined} */
  #running;
  /** @type {object | undefined} */
  #result;
  /** Made when somebody asks: a rejection that nobody asked for would be an error of the page. @type {Asked | undefined} */
  #asked;

  /** @param {() => unknown[]} identity what tells the element's checkout from others */
  constructor(identity) {
    this.#identity = identity;
  }

  /** The promise. */
  asked() {
    this.renew();
    if (this.#result) return Promise.resolve(this.#result);
    return (this.#asked ??= promised()).promise;
  }

  /** The element may have been given another checkout. One that never ran is only being described. */
  renew() {
    const present = named(this.#identity()) ?? '';
    if (present === this.#present) return;
    const ran = this.#running === this.#present;
    this.#present = present;
    if (!ran) return;
    this.#result = undefined;
    this.#asked?.reject(new DOMException('the element was given another checkout', 'AbortError'));
    this.#asked = undefined;
  }

  /** The checkout that the element has runs from now on. */
  begins() {
    this.renew();
    this.#running = this.#present;
  }

  /** A result of the one that runs. @param {object} result */
  came(result) {
    if (this.#running !== this.#present) return;
    this.#result ??= result;
    this.#asked?.resolve(this.#result);
  }
}

/** @returns {Asked} */
function promised() {
  const asked = /** @type {Asked} */ ({});
  asked.promise = new Promise((resolve, reject) => Object.assign(asked, { resolve, reject }));
  return asked;
}
