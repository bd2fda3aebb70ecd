// Gives the element its order, as a shop's page does; the address has what a shop's server would have written.

const order = new URLSearchParams(location.search);
const checkout = /** @type {HTMLElement & {request: object}} */ (document.querySelector('payment-checkout'));
checkout.setAttribute('amount', order.get('amount'));
checkout.setAttribute('currency', order.get('currency'));
checkout.request = { order_id: order.get('order_id') };
