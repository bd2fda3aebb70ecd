// The element without its registration. Importing this module registers nothing; see `define`.

import { wayIn } from '../shared/way-in.js';
import { PaymentCheckout as Checkout } from './checkout.js';
import { WASM } from './wasm.js';

export const { element: PaymentCheckout, define, load } = wayIn('payment-checkout', Checkout, WASM);
