// Registers `<payment-checkout>`.

import { define } from './element.js';

export { PaymentCheckout, define } from './element.js';

define();
