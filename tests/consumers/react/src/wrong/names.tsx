// JSX lets any attribute with a hyphen pass, and the console tells those. Of others each has to be there.

import type {} from 'payment-checkout-element/react';

export const right = <payment-checkout base-url="/api" messages={{ 'choose.heading': 'Pay' }} request={{ id: 1 }} />;

// @ts-expect-error an attribute that there is not
export const attribute = <payment-checkout base-url="/api" metods="QR" />;

// @ts-expect-error the name of a property, which is no attribute
export const property = <payment-checkout base-url="/api" orderLabel="1001" />;

// @ts-expect-error a text that there is not
export const text = <payment-checkout base-url="/api" messages={{ 'choose.headline': 'Pay' }} />;

// @ts-expect-error the request is an object
export const request = <payment-checkout base-url="/api" request="1001" />;
