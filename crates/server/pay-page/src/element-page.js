// On the server's own page of an order: where the element runs, it takes the place of the card that the server drew.
// The card pays without the element. It is shown until the element shows at least as much.

/** @typedef {HTMLElement & { request: object, state?: string }} PaymentCheckout */

const element = /** @type {PaymentCheckout} */ (document.querySelector('payment-checkout'));
const card = /** @type {HTMLElement} */ (document.querySelector('.card'));
const { payLink, refresh } = element.dataset;

/** The states in which the element shows less than the card. */
const LESS = ['loading', 'failed'];
/** And less than a card with a code, which is replaced by the same code or by its end. */
const LESS_THAN_A_CODE = [...LESS, 'choosing', 'authorizing', 'checking'];
const less = card.hasAttribute('data-waiting') ? LESS_THAN_A_CODE : LESS;

// The element's script comes after this one, and finds it.
element.request = { pay_link: payLink };

/** True while the payer presses something on the card: a press whose button goes away would be lost. */
let isPressed = false;
/** True once a form of the card is sent: the answer is another page. */
let isSent = false;

function look() {
  if (isPressed || isSent || !element.hidden || less.includes(element.state ?? 'loading')) return;
  const hasFocus = card.contains(document.activeElement);
  element.hidden = false;
  // As the element's content it is not shown, but where the element cannot go on.
  element.append(card);
  if (hasFocus) element.focus();
}

card.addEventListener('pointerdown', () => void (isPressed = true));
for (const end of ['pointerup', 'pointercancel']) {
  // The click comes after it, and with it the form is sent.
  document.addEventListener(end, () => setTimeout(() => {
    isPressed = false;
    look();
  }, 100));
}
card.addEventListener('submit', () => void (isSent = true));

element.addEventListener('checkout-ready', look);
element.addEventListener('checkout-state', look);

// A card with a code is drawn again, as without scripts, where the element does not take its place: it cannot run,
// or the code has ended by now.
if (refresh) {
  setInterval(() => {
    const isLoading = document.readyState !== 'complete' || element.state === 'loading';
    if (element.hidden && !isLoading) location.reload();
  }, Number(refresh) * 1000);
}
