// The element without its registration: an import registers nothing.

import { entryPoint } from '../shared/entry.ts';
import { PaymentCheckout as Checkout } from './checkout-element.ts';
import { WASM } from './wasm.ts';

export { PageRefusal } from './page-refusal.ts';

export const { element: PaymentCheckout, define, load } = entryPoint('payment-checkout', Checkout, WASM);
