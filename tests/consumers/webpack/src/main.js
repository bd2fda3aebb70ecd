import 'payment-checkout-element';

const checkout = document.querySelector('payment-checkout');
checkout.messages = { 'choose.heading': 'How do you pay?' };
checkout.addEventListener('checkout-result', ({ detail }) => {
  document.querySelector('output').textContent = `${detail.outcome}: ${detail.merchantOperationNumber}`;
});

// The order that this page is about; a real shop has made it before the page is opened.
const answer = await fetch('/api/orders', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    items: [{ sku: 'mochila-telar', quantity: 1 }],
    customer: { first_name: 'Ana', last_name: 'Quispe', email: 'ana@example.com' },
  }),
});
const { order_id, amount, currency } = await answer.json();
Object.assign(checkout, { amount, currency, request: { order_id } });
