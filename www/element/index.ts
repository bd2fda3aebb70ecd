// The element without its registration. Importing this module registers nothing; see `define`.

import { entryPoint } from '../shared/entry.ts';
import { PaymentCheckout as Checkout } from './checkout-element.ts';
import { WASM } from './wasm.ts';

export const { element: PaymentCheckout, define, load } = entryPoint('payment-checkout', Checkout, WASM);
