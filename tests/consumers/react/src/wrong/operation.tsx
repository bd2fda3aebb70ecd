// An operation that exists has two numbers.

import type {} from 'payment-checkout-element/react';

export const right = <payment-checkout base-url="/api" merchant-code="100000001" merchant-operation-number="0042" />;

// @ts-expect-error a merchant without a number
export const merchant = <payment-checkout base-url="/api" merchant-code="100000001" />;

// @ts-expect-error a number without a merchant
export const number = <payment-checkout base-url="/api" merchant-operation-number="0042" />;
