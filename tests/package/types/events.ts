// Events, heard at the element and at everything around it.

import { type CheckoutAction, type ErrorDetail, PageRefusal, PaymentCheckout, type ResultDetail } from 'payment-checkout-element';

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
export const version: string = PaymentCheckout.version;
