// What must not compile: `tsc` fails where it does.

import type { CheckoutErrorCode, PaymentCheckout, ResultDetail } from 'payment-checkout-element';
import type {} from 'payment-checkout-element/react';

// JSX lets any attribute with a hyphen pass; of others each has to be there.
// @ts-expect-error an attribute that there is not
export const attribute = <payment-checkout metods="QR" />;

// @ts-expect-error a number is no attribute
export const amount = <payment-checkout amount={12990} />;

// @ts-expect-error a text that there is not
export const text = <payment-checkout messages={{ 'choose.headline': 'Pay' }} />;

// @ts-expect-error the request is an object
export const request = <payment-checkout request="1001" />;

export const listener = (
  // @ts-expect-error an error has no outcome
  <payment-checkout oncheckout-error={({ detail }) => detail.outcome} />
);

// @ts-expect-error an outcome that there is not
export const isDone = ({ outcome }: ResultDetail) => outcome === 'done';

// @ts-expect-error a code that there is not
export const code: CheckoutErrorCode = 'timeout';

export const listen = (checkout: PaymentCheckout) => {
  // @ts-expect-error the state is the element's
  checkout.state = 'paid';
  checkout.addEventListener('checkout-result', ({ detail }) => detail.previous);
  // @ts-expect-error a redirect has no code
  checkout.addEventListener('checkout-redirect', ({ detail }) => detail.code);
  // By its name alone.
  document.querySelector('payment-checkout')?.cancel();
};
