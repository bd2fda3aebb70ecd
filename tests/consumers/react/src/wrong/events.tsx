// Each event has its own detail.

import type {} from 'payment-checkout-element/react';

export const right = (
  <payment-checkout
    base-url="/api"
    oncheckout-result={({ detail }) => detail.outcome === 'paid'}
    oncheckout-error={({ detail }) => detail.code === 'network' && detail.status === 502}
    oncheckout-state={({ detail }) => detail.previous === 'choosing'}
    oncheckout-action={({ detail }) => detail.action === 'code-saved' && detail.method === 'QR'}
    oncheckout-redirect={(event) => event.preventDefault()}
  />
);

// @ts-expect-error an error has no outcome
export const error = <payment-checkout base-url="/api" oncheckout-error={({ detail }) => detail.outcome} />;

// @ts-expect-error an outcome that there is not
export const outcome = <payment-checkout base-url="/api" oncheckout-result={({ detail }) => detail.outcome === 'done'} />;

// @ts-expect-error a code that there is not
export const code = <payment-checkout base-url="/api" oncheckout-error={({ detail }) => detail.code === 'timeout'} />;

// @ts-expect-error a state that there is not
export const state = <payment-checkout base-url="/api" oncheckout-state={({ detail }) => detail.state === 'waiting'} />;

// @ts-expect-error an action that there is not
export const action = <payment-checkout base-url="/api" oncheckout-action={({ detail }) => detail.action === 'closed'} />;

// @ts-expect-error a ready element tells nothing
export const ready = <payment-checkout base-url="/api" oncheckout-ready={({ detail }) => detail.state} />;

// @ts-expect-error a call in place of a listener
export const called = <payment-checkout base-url="/api" oncheckout-result={console.log('paid')} />;
