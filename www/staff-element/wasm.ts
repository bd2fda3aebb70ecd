import { pageSingleton } from '../shared/page-singleton.ts';
import { Wasm } from '../shared/wasm.ts';
import { binary, guardWith, instantiate, mount, __wbg_reset_state as restart } from './payment-operations-wasm.js';

/** The wasm of the element. */
export const WASM = pageSingleton(
  `payment-operations wasm ${binary.integrity}`,
  () => new Wasm('payment-operations', { binary, guardWith, instantiate, restart, mount }),
);
