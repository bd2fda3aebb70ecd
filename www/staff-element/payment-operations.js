// Registers `<payment-operations>`.

import './begin.js';
import { define } from './operations.js';

export { PaymentOperations, define, load } from './operations.js';

define();
