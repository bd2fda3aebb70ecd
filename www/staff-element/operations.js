// The staff's element without its registration. Importing this module registers nothing; see `define`.

import { register } from '../shared/custom-element.js';
import { onePerPage } from '../shared/one-per-page.js';
import { PaymentOperations as BackOffice } from './back-office.js';
import { WASM } from './wasm.js';

/** Another file of the same build may have been here first. */
const shared = onePerPage(`payment-operations element ${WASM.integrity}`, () => ({
  PaymentOperations: BackOffice,

  /**
   * Registers the element.
   * @param {string} [tag]
   * @param {{ wasm?: string | URL }} [options] where the wasm is, for pages that host it elsewhere
   */
  define(tag = 'payment-operations', { wasm } = {}) {
    if (wasm) WASM.hostedAt(wasm);
    register(tag, BackOffice);
  },

  /**
   * Loads the wasm before there is an element, on pages that know that there will be one. The element
   * tells if it cannot be loaded, and tries again.
   */
  async load() {
    // On a server there is nothing to load it for.
    if (globalThis.customElements) await WASM.begin().catch(() => {});
  },
}));

export const { PaymentOperations, define, load } = shared;
