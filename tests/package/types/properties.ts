// The properties of an element that a page made or found. A mistake that compiles is an error of this check.

import type { CheckoutErrorCode, CheckoutLocale, MethodList, PaymentCheckout, WholeCents } from 'payment-checkout-element';

const made = document.createElement('payment-checkout');
const found: PaymentCheckout | null = document.querySelector('payment-checkout');

made.amount = '12990';
made.amount = `${BigInt(12990)}`;
made.amount = null;
// @ts-expect-error a price with a fraction
made.amount = '129.90';
// @ts-expect-error a number
made.amount = 12990;
made.order = 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl';
made.paidUrl = '/thanks';
made.hideChoice = true;
// @ts-expect-error a word for a boolean
made.hideChoice = 'hidden';
made.start('WALLET');
// @ts-expect-error an unknown method
made.start('CHEQUE');
// By its attribute any text can be set; the console tells what is wrong with it.
made.setAttribute('amount', '129.90');

made.methods = 'WALLET QR';
// @ts-expect-error words are separated by spaces
made.methods = 'WALLET, QR';
made.locale = 'es-PE';
// @ts-expect-error a language that there is not
made.locale = 'de';
made.fallbackLocale = 'pt-BR';
// @ts-expect-error a language of the page's own has texts of the page's own
made.fallbackLocale = 'qu';
made.headingLevel = 3;
// @ts-expect-error a level that there is not
made.headingLevel = 0;
made.debug = true;
// @ts-expect-error a word for a boolean
made.debug = 'yes';
made.request = { order_id: '1001' };
// @ts-expect-error the request is an object
made.request = '1001';
made.messages = { 'choose.heading': 'Pay' };
// @ts-expect-error a text that there is not
made.messages = { 'choose.headline': 'Pay' };
made.messages = { locale: 'qu', dir: 'ltr', 'choose.heading': 'Imaynata paganki?' };
// @ts-expect-error a direction that there is not
made.messages = { locale: 'ar', dir: 'left' };
// @ts-expect-error a property that there is not
made.baseURL = '/api';

export const overdue = made.state === 'overdue';
// @ts-expect-error a state that there is not
export const waiting = made.state === 'waiting';
// @ts-expect-error the state is the element's
made.state = 'paid';
export const version: string = made.version;
// @ts-expect-error the version is the package's
made.version = '2.0.0';

found?.focus({ preventScroll: true });
found?.cancel();
// @ts-expect-error the element may not be in the page
found.retry();
found?.whenFinal().then(({ outcome, previous }) => outcome === 'paid' && previous === null);
// @ts-expect-error the end is no outcome by itself
found?.whenFinal().then((end) => end === 'paid');

export const code: CheckoutErrorCode = 'not-found';
// @ts-expect-error a code that there is not
export const timeout: CheckoutErrorCode = 'timeout';
export const methods: MethodList[] = ['QR', 'CARD WALLET', 'WALLET CARD BANK_TRANSFER CASHCODE INSTALLMENT QR'];
// @ts-expect-error a method twice
export const twice: MethodList = 'QR QR';
// @ts-expect-error no method at all
export const none: MethodList = '';
export const regional: CheckoutLocale = 'en-GB';
export const order: { amount: WholeCents } = JSON.parse('{ "amount": "12990" }');
// @ts-expect-error a text that nobody looked at
export const unseen = (amount: string): WholeCents => amount;
// The name of the type changes nothing about it, in either direction.
export const given = (amount: `${bigint}`): WholeCents => amount;
export const taken = (amount: WholeCents): `${bigint}` => amount;
