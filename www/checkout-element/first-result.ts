// The first result of a checkout, as a promise.

import { orderIdentity } from './signed-order.ts';

interface Deferred {
  promise: Promise<object>;
  resolve: (result: object) => void;
  reject: (reason: unknown) => void;
}

/** The first result of the checkout that an element has, and of the next one when it is given another. */
export class FirstResult {
  #identity;
  /** The checkout that the element has. */
  #present = '';
  /** The checkout that runs. */
  #running: string | undefined;
  #result: object | undefined;
  /** Made when a page asks: a rejection without a handler would be an error of the page. */
  #deferred: Deferred | undefined;

  /** `identity` returns what tells the element's checkout from others. */
  constructor(identity: () => unknown[]) {
    this.#identity = identity;
  }

  /** True when the checkout that the element has has ended. */
  get hasResult() {
    return Boolean(this.#result);
  }

  /** The promise of the result. */
  promise(): Promise<object> {
    this.renew();
    if (this.#result) return Promise.resolve(this.#result);
    return (this.#deferred ??= deferred()).promise;
  }

  /** The element may have been given another checkout. A checkout that never ran is only being described. */
  renew() {
    const present = orderIdentity(this.#identity()) ?? '';
    if (present === this.#present) return;
    const ran = this.#running === this.#present;
    this.#present = present;
    if (!ran) return;
    this.#result = undefined;
    this.#deferred?.reject(new DOMException('the element was given another checkout', 'AbortError'));
    this.#deferred = undefined;
  }

  /** The checkout that runs gets another identity: the page has only now made its order. */
  adopt() {
    this.#present = orderIdentity(this.#identity()) ?? '';
    this.#running = this.#present;
  }

  /** The checkout that the element has runs from now on. */
  begin() {
    this.renew();
    this.#running = this.#present;
  }

  /** Takes a result of the checkout that runs. */
  resolve(result: object) {
    if (this.#running !== this.#present) return;
    this.#result ??= result;
    this.#deferred?.resolve(this.#result);
  }
}

function deferred(): Deferred {
  const made = {} as Deferred;
  made.promise = new Promise((resolve, reject) => {
    made.resolve = resolve;
    made.reject = reject;
  });
  return made;
}
