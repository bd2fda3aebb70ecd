// What Vendure's payments and refunds go through here beside its own states.
import type { PaymentOptions, PaymentProcess } from '@vendure/core';

type RefundProcess = NonNullable<PaymentOptions['refundProcess']>[number];

declare module '@vendure/core' {
  interface PaymentStates {
    Waiting: never;
  }
}

/** The customer has a code, and nobody has paid it. Vendure's `Authorized` would let the order be delivered. */
export const waitsForPayer: PaymentProcess<'Waiting'> = {
  transitions: {
    Created: { to: ['Waiting'], mergeStrategy: 'merge' },
    Waiting: { to: ['Settled', 'Cancelled', 'Error'] },
  },
};

/** A refund begins as `Pending`, and a handler may say that it still is: the payment service takes days for some. */
export const refundsTakeTime: RefundProcess = {
  transitions: { Pending: { to: ['Pending', 'Settled', 'Failed'] }, Settled: { to: [] }, Failed: { to: [] } },
};
