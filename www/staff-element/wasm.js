import { onePerPage } from '../shared/one-per-page.js';
import { Wasm } from '../shared/wasm.js';
import init, { binary, guardWith, mount } from './payment-operations-wasm.js';

/** The wasm of the element. */
export const WASM = onePerPage(
  `payment-operations wasm ${binary.integrity}`,
  () => new Wasm('payment-operations', { binary, guardWith, init, mount: /** @type {any} */ (mount) }),
);
