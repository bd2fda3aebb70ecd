import { onePerPage } from '../shared/one-per-page.js';
import { Wasm } from '../shared/wasm.js';
import init, { binary, guardWith, mount } from './payment-checkout-wasm.js';

/** The wasm of the element. */
export const WASM = onePerPage(
  `payment-checkout wasm ${binary.integrity}`,
  () => new Wasm('payment-checkout', { binary, guardWith, init, mount: /** @type {any} */ (mount) }),
);
