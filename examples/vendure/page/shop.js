// The shop's page: a product, a cart, and the payment of an order. What it shows is Vendure's; a reload asks again.
import * as api from './api.js';

const screen = document.querySelector('#screen');
const trouble = document.querySelector('#trouble');

const price = (cents, currency) => new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100);

/** Puts copies of these templates on the screen, and gives back how their parts are found. */
function show(...names) {
  screen.replaceChildren(...names.map((name) => document.querySelector(`#${name}`).content.cloneNode(true)));
  return (selector) => screen.querySelector(selector);
}

/** Runs what a press asks for, and says when it failed. */
const pressed = (act) => async (event) => {
  event.preventDefault();
  trouble.textContent = '';
  try {
    await act(event);
  } catch (error) {
    trouble.textContent = `That was not possible: ${error.message}`;
  }
};

async function showProduct() {
  const [{ name, variants }] = await api.products();
  const [{ id, priceWithTax, currencyCode }] = variants;
  const part = show('product');
  part('h2').textContent = name;
  part('.price').textContent = price(priceWithTax, currencyCode);
  part('button').addEventListener('click', pressed(async () => {
    await api.addToCart(id);
    await showShop();
  }));
}

function showCart(order) {
  const part = show('cart');
  part('ul').replaceChildren(...order.lines.map(({ quantity, linePriceWithTax, productVariant }) => {
    const line = document.createElement('li');
    line.textContent = `${quantity} × ${productVariant.name}: ${price(linePriceWithTax, order.currencyCode)}`;
    return line;
  }));
  part('.price').textContent = `Together: ${price(order.totalWithTax, order.currencyCode)}`;
  part('.remove').addEventListener('click', pressed(async () => {
    await api.emptyCart();
    await showShop();
  }));
  part('form').addEventListener('submit', pressed(async ({ target }) => {
    await api.checkOut(Object.fromEntries(new FormData(target)));
    await showShop();
  }));
}

async function showPayment(order) {
  const { server, order: token, amount, currency } = await api.signedOrder(order);
  const part = show('payment');
  part('.code').textContent = order.code;
  part('.price').textContent = price(order.totalWithTax, order.currencyCode);
  part('.next a').href = `?order=${order.code}`;
  const checkout = part('payment-checkout');
  checkout.setAttribute('base-url', server);
  checkout.setAttribute('live-url', `${server}/charges/live`);
  // A lender or bank sends the customer back to this order, when Vendure may know already that it is paid.
  checkout.setAttribute('redirect-url', `?order=${order.code}`);
  checkout.amount = amount;
  checkout.currency = currency;
  checkout.request = { order: token };
  checkout.addEventListener('checkout-result', ({ detail }) => {
    part('.next').hidden = detail.outcome !== 'paid'; // the shop itself has the last word
  });
  part('.back').addEventListener('click', pressed(async () => {
    await api.backToCart();
    await showShop();
  }));
  try {
    await import('/element/payment-checkout.js'); // from here on the tag works
  } catch {
    const detail = { code: 'load', retryable: false };
    checkout.textContent = 'The checkout could not be loaded. If you have paid, do not pay again. Please reload the page.';
    checkout.dispatchEvent(new CustomEvent('checkout-error', { bubbles: true, detail }));
  }
}

async function showOrder(code) {
  const { state } = await api.placedOrder(code);
  // The address of a return has a token, which the element would have taken out.
  history.replaceState(null, '', `?order=${code}`);
  const part = show('order');
  part('.code').textContent = code;
  part('.state').textContent = state === 'PaymentSettled' ? 'Your order is paid. Thank you!' : `Your order: ${state}`;
}

/** Shows where the customer is. */
async function showShop() {
  const code = new URL(location.href).searchParams.get('order');
  const order = await api.activeOrder();
  if (order?.state === 'ArrangingPayment') await showPayment(order);
  else if (code) await showOrder(code);
  else if (order?.lines.length) showCart(order);
  else await showProduct();
}

await pressed(showShop)(new Event('load'));
