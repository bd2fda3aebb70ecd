// Methods, languages and levels are known words.

import type { CheckoutLocale, MethodList } from 'payment-checkout-element';
import type {} from 'payment-checkout-element/react';

export const right = <payment-checkout base-url="/api" methods="QR BANK_TRANSFER CARD" locale="en-GB" heading-level={3} debug />;
export const six = <payment-checkout base-url="/api" methods="WALLET CARD BANK_TRANSFER CASHCODE INSTALLMENT QR" />;
export const variables = (methods: MethodList, locale: CheckoutLocale) => (
  <payment-checkout base-url="/api" methods={methods} locale={locale} heading-level="3" />
);
export const made = (first: 'QR' | 'CARD') => <payment-checkout base-url="/api" methods={`${first} WALLET`} />;

// @ts-expect-error words are separated by spaces
export const comma = <payment-checkout base-url="/api" methods="QR,INSTALLMENT" />;

// @ts-expect-error a misspelled method
export const misspelled = <payment-checkout base-url="/api" methods="QR INSTALMENT" />;

// @ts-expect-error a method in small letters
export const small = <payment-checkout base-url="/api" methods="qr" />;

// @ts-expect-error a method twice
export const twice = <payment-checkout base-url="/api" methods="QR CARD QR" />;

// @ts-expect-error a language that there is not
export const language = <payment-checkout base-url="/api" locale="fr" />;

// @ts-expect-error a language by its name
export const named = <payment-checkout base-url="/api" locale="english" />;

// @ts-expect-error a language that nobody looked at: `lang` takes it
export const unseen = (language: string) => <payment-checkout base-url="/api" locale={language} />;

// @ts-expect-error a level that there is not
export const level = <payment-checkout base-url="/api" heading-level="7" />;

// @ts-expect-error a word for a boolean
export const debug = <payment-checkout base-url="/api" debug="yes" />;

// @ts-expect-error an action that the staff have not
export const staff = <payment-operations base-url="/api/staff" permissions="refunds" />;
