// A price is whole cents as text, and has its currency.

import type { WholeCents } from 'payment-checkout-element';
import type {} from 'payment-checkout-element/react';

export const right = <payment-checkout base-url="/api" amount="12990" currency="PEN" />;
export const order = ({ amount, currency }: { amount: WholeCents; currency: string }) => (
  <payment-checkout base-url="/api" amount={amount} currency={currency} />
);
export const later = (order: { amount: WholeCents; currency: string } | undefined) => (
  <payment-checkout base-url="/api" amount={order?.amount} currency={order?.currency} />
);
// These throw at a fraction.
export const text = (price: string) => <payment-checkout base-url="/api" amount={`${BigInt(price)}`} currency="PEN" />;
export const number = (price: number) => <payment-checkout base-url="/api" amount={`${BigInt(price)}`} currency="PEN" />;

// @ts-expect-error a price with a fraction
export const fraction = <payment-checkout base-url="/api" amount="129.90" currency="PEN" />;

// @ts-expect-error a price with its currency's sign
export const sign = <payment-checkout base-url="/api" amount="S/ 12990" currency="PEN" />;

// @ts-expect-error a number, which may have a fraction
export const float = <payment-checkout base-url="/api" amount={12990} currency="PEN" />;

// @ts-expect-error a text that nobody looked at
export const unseen = (price: string) => <payment-checkout base-url="/api" amount={price} currency="PEN" />;

// @ts-expect-error the same, written by a number that may have a fraction
export const made = (price: number) => <payment-checkout base-url="/api" amount={`${price}`} currency="PEN" />;

// @ts-expect-error a price without its currency
export const bare = <payment-checkout base-url="/api" amount="12990" />;

// @ts-expect-error a currency without a price
export const currency = <payment-checkout base-url="/api" currency="PEN" />;
