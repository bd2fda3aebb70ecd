// The staff's element without its registration: an import registers nothing.

import { entryPoint } from '../shared/entry.ts';
import { PaymentOperations as BackOffice } from './operations-element.ts';
import { WASM } from './wasm.ts';

export const { element: PaymentOperations, define, load } = entryPoint('payment-operations', BackOffice, WASM);
