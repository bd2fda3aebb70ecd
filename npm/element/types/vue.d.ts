// Global components for Vue 3, in TypeScript: `import type {} from 'payment-checkout-element/vue'`.
// `isCustomElement` tells the compiler that the two tags are no components of the application.

import type { HTMLAttributes, PublicProps } from 'vue';
import type { CheckoutAttributes, CheckoutEventMap, PaymentCheckout } from './element.js';
import type { OperationsAttributes, OperationsEventMap, PaymentOperations } from './operations/element.js';

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** For each alternative by itself, since two attributes may belong together. */
type Properties<Attributes> = Attributes extends unknown
  ? { [Name in keyof Attributes as Camel<Name & string>]: Attributes[Name] }
  : never;

type Listeners<Events> = {
  [Name in keyof Events & string as `on${Capitalize<Camel<Name>>}`]?: (event: Events[Name]) => void;
};

type Tag<Element, Attributes, Events> = new () => Element & {
  $props: Properties<Attributes> & Listeners<Events> & HTMLAttributes & PublicProps;
};

declare module 'vue' {
  interface GlobalComponents {
    'payment-checkout': Tag<PaymentCheckout, CheckoutAttributes & Partial<Pick<PaymentCheckout, 'request' | 'messages'>>, CheckoutEventMap>;
    'payment-operations': Tag<PaymentOperations, OperationsAttributes, OperationsEventMap>;
  }
}
