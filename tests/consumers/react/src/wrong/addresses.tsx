// A tag knows where to ask: by `base-url`, or by all three addresses.

import type {} from 'payment-checkout-element/react';

export const base = <payment-checkout base-url="/api" />;
export const own = <payment-checkout authorize-url="/start" status-url="/state" cancel-url="/cancel" />;
export const both = <payment-checkout base-url="/api" status-url="/state" />;

// @ts-expect-error no address at all
export const none = <payment-checkout merchant-name="Your shop" />;

// @ts-expect-error two of three addresses
export const two = <payment-checkout authorize-url="/start" status-url="/state" />;

// @ts-expect-error an address that is not there yet
export const later = (address: string | undefined) => <payment-checkout base-url={address} />;

// @ts-expect-error the staff's element has no other address
export const staff = <payment-operations locale="en" />;
