// The elements that a page made or found: properties, and events that are heard at the element and at everything around it. A
// mistake that compiles is an error of this check.

import { type CheckoutAction, type ErrorDetail, PageRefusal, PaymentCheckout, type ResultDetail } from 'payment-checkout-element';
import type { CheckoutErrorCode, CheckoutLocale, MethodList, WholeCents } from 'payment-checkout-element';
import type { OperationsErrorDetail, PaymentOperations } from 'payment-checkout-element/operations';

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

// Events.

const checkout = document.createElement('payment-checkout');

checkout.addEventListener('checkout-result', ({ detail }) => detail.outcome === 'reversed');
checkout.addEventListener('checkout-state', ({ detail }) => detail.previous === 'choosing');
checkout.addEventListener('checkout-action', ({ detail }) => detail.action === 'code-shared');
checkout.addEventListener('checkout-error', ({ detail }) => detail.requestId?.trim());
checkout.addEventListener('checkout-redirect', function (event) {
  event.preventDefault();
  this.retry();
});
checkout.addEventListener('checkout-start', (event) => {
  event.waitUntil(Promise.reject(new PageRefusal(`${event.detail.method} is closed on Sundays.`)));
  event.preventDefault();
});
checkout.addEventListener('checkout-choose', ({ detail }) => checkout.start(detail.method ?? 'QR'));
checkout.addEventListener('click', ({ clientX }) => clientX);
checkout.addEventListener('an-event-of-the-page', (event) => event.type);
const hear = ({ detail }: CustomEvent<ResultDetail>) => detail.paidTwice;
checkout.addEventListener('checkout-result', hear);
checkout.removeEventListener('checkout-result', hear);

// @ts-expect-error an event that there is not
checkout.addEventListener('checkout-paid', (event) => event.type);
// @ts-expect-error the same
checkout.removeEventListener('checkout-results', (event) => event.type);
// @ts-expect-error only the event before an attempt waits
checkout.addEventListener('checkout-choose', (event) => event.waitUntil(Promise.resolve()));
// @ts-expect-error it waits for a promise
checkout.addEventListener('checkout-start', (event) => event.waitUntil(() => {}));
// @ts-expect-error a redirect has no code
checkout.addEventListener('checkout-redirect', ({ detail }) => detail.code);
// @ts-expect-error a ready element tells nothing
checkout.addEventListener('checkout-ready', ({ detail }) => detail.state);
// @ts-expect-error a listener of another event
checkout.addEventListener('checkout-pending', hear);
// @ts-expect-error an outcome that there is not
checkout.addEventListener('checkout-result', ({ detail }) => detail.outcome === 'done');
// @ts-expect-error a code that there is not
checkout.addEventListener('checkout-error', ({ detail }) => detail.code === 'timeout');
// @ts-expect-error a message is for developers, and never absent
export const silent: ErrorDetail = { code: 'network', retryable: true, status: null, problem: null, requestId: null };
// @ts-expect-error an action that there is not
export const action: CheckoutAction = 'closed';

// They bubble and cross shadow roots.
const root = document.createElement('div').attachShadow({ mode: 'open' });
for (const around of [document.body, document.querySelector('#checkout'), root, document, window]) {
  around?.addEventListener('checkout-result', () => {});
}
document.body.addEventListener('checkout-error', ({ detail }) => detail.code === 'crash');
document.querySelector('#checkout')?.addEventListener('checkout-error', ({ detail }) => detail.code === 'crash');
root.addEventListener('checkout-error', ({ detail }) => detail.code === 'crash');
document.addEventListener('checkout-error', ({ detail }) => detail.code === 'crash');
window.addEventListener('checkout-error', ({ detail }) => detail.code === 'crash');
// @ts-expect-error an error has no outcome
document.body.addEventListener('checkout-error', ({ detail }) => detail.outcome);
// @ts-expect-error the same
document.querySelector('#checkout')?.addEventListener('checkout-error', ({ detail }) => detail.outcome);
// @ts-expect-error the same
root.addEventListener('checkout-error', ({ detail }) => detail.outcome);
// @ts-expect-error the same
document.addEventListener('checkout-error', ({ detail }) => detail.outcome);
// @ts-expect-error the same
window.addEventListener('checkout-error', ({ detail }) => detail.outcome);
// @ts-expect-error an event that is not heard has no detail
window.addEventListener('checkout-paid', ({ detail }) => detail);

export const heard = (event: Event) => event.target instanceof PaymentCheckout && event.target.state === 'paid';
export const versionOfClass: string = PaymentCheckout.version;

// The staff's element.

const operations: PaymentOperations = document.createElement('payment-operations');

operations.baseUrl = '/api/staff';
operations.permissions = 'cancel refund link';
// @ts-expect-error an action that the staff have not
operations.permissions = 'refunds';
operations.locale = 'en';
// @ts-expect-error a language that only payers have
operations.locale = 'pt-BR';
// @ts-expect-error a property of the other element
operations.amount = '12990';
window.addEventListener('operations-error', ({ detail }) => detail.code === 'crash');
// @ts-expect-error a code of the other element
window.addEventListener('operations-error', ({ detail }) => detail.code === 'refused');
// @ts-expect-error an event that there is not
operations.addEventListener('operations-signed', (event) => event.type);
export const detail: OperationsErrorDetail = { code: 'load', retryable: true };
