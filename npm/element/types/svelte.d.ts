// Tags for Svelte 5, in TypeScript: `import type {} from 'payment-checkout-element/svelte'`.
//
// Attributes have their names in HTML; `request` and `messages` are properties; a listener is `on` and the event's
// name, as in `oncheckout-result={…}`.

import type { HTMLAttributes } from 'svelte/elements';
import type { CheckoutAttributes, CheckoutEventMap, PaymentCheckout } from './element.js';
import type { OperationsAttributes, OperationsEventMap, PaymentOperations } from './operations/element.js';

type Listeners<Events> = {
  [Name in keyof Events & string as `on${Name}`]?: ((event: Events[Name]) => void) | null | undefined;
};

type Tag<Element extends EventTarget, Attributes, Events> = HTMLAttributes<Element> & Attributes & Listeners<Events>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'payment-checkout': Tag<PaymentCheckout, CheckoutAttributes, CheckoutEventMap> &
      { [Name in 'request' | 'messages']?: PaymentCheckout[Name] };
    'payment-operations': Tag<PaymentOperations, OperationsAttributes, OperationsEventMap>;
  }
}
