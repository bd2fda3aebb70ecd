// Registers `<payment-operations>`.

import './begin.ts';
import { define } from './index.ts';

export { define, load, PaymentOperations } from './index.ts';

define();
