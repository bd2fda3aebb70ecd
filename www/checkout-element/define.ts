// Registers `<payment-checkout>`.

import './begin.ts';
import { define } from './index.ts';

export { define, load, PageRefusal, PaymentCheckout } from './index.ts';

define();
