// JSX for React 19, in TypeScript: `import type {} from 'payment-checkout-element/react'`.
//
// Attributes have their names in HTML, so that a server renders them; `request` and `messages` are
// properties; a listener is `on` and the event's name, as in `oncheckout-result={…}`.

import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { CheckoutAttributes, CheckoutEventMap, PaymentCheckout } from './element.js';
import type { OperationsAttributes, OperationsEventMap, PaymentOperations } from './operations/element.js';

type Listeners<Events> = {
  [Name in keyof Events & string as `on${Name}`]?: ((event: Events[Name]) => void) | undefined;
};

type Tag<Element, Attributes, Events> = DetailedHTMLProps<HTMLAttributes<Element>, Element> &
  Attributes &
  Listeners<Events>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'payment-checkout': Tag<PaymentCheckout, CheckoutAttributes, CheckoutEventMap> &
        { [Name in 'request' | 'messages']?: PaymentCheckout[Name] };
      'payment-operations': Tag<PaymentOperations, OperationsAttributes, OperationsEventMap>;
    }
  }
}
