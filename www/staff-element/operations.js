// The staff's element without its registration. Importing this module registers nothing; see `define`.

import { wayIn } from '../shared/way-in.js';
import { PaymentOperations as BackOffice } from './back-office.js';
import { WASM } from './wasm.js';

export const { element: PaymentOperations, define, load } = wayIn('payment-operations', BackOffice, WASM);
