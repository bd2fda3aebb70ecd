// The staff's element.

import type { OperationsErrorDetail, PaymentOperations } from 'payment-checkout-element/operations';

const operations: PaymentOperations = document.createElement('payment-operations');

operations.baseUrl = '/api/staff';
operations.permissions = 'cancel refund';
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
