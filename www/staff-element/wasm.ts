import { pageSingleton } from '../shared/page-singleton.ts';
import { Wasm } from '../shared/wasm.ts';
import { binary, guardWith, instantiate, makeAnother, mount } from './payment-operations-wasm.js';

/** The wasm of the element. */
export const WASM = pageSingleton(
  `payment-operations wasm ${binary.integrity}`,
  () => new Wasm('payment-operations', { binary, guardWith, instantiate, makeAnother, mount }),
);
