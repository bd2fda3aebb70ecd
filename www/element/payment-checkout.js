// Registers `<payment-checkout>`.

import './begin.js';
import { define } from './element.js';

export { PaymentCheckout, define, load } from './element.js';

define();
