import { pageSingleton } from '../shared/page-singleton.ts';
import { type Mount, type Mounted, Wasm } from '../shared/wasm.ts';
import { binary, guardWith, instantiate, makeAnother, mount } from './payment-checkout-wasm.js';

/** The content of the element, as the wasm exports it. */
export interface MountedCheckout extends Mounted {
  cancel(): void;
  retry(): void;
  start(method: string): void;
}

/** The wasm of the element. */
export const WASM = pageSingleton(
  `payment-checkout wasm ${binary.integrity}`,
  () => new Wasm('payment-checkout', { binary, guardWith, instantiate, makeAnother, mount: mount as Mount<MountedCheckout> }),
);
