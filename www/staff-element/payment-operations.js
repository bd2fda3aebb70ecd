// Registers `<payment-operations>`.

import { define } from './operations.js';

export { PaymentOperations, define } from './operations.js';

define();
