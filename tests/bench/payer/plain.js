// The least that takes a payment by QR: a button, a request, a picture. It has `state` and `checkout-ready` as the element
// has, so that the same probe measures both.

const checkout = /** @type {HTMLElement & {state: string}} */ (document.querySelector('#checkout'));
const order_id = new URLSearchParams(location.search).get('order_id');

async function pay() {
  checkout.textContent = 'Preparando tu QR';
  checkout.state = 'authorizing';
  const answer = await fetch('/api/charges', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `"${crypto.randomUUID()}"` },
    body: JSON.stringify({ order_id, payment_method: { method_name: 'QR', method_details: {} } }),
  });
  if (!answer.ok) throw new Error(`POST /api/charges answered ${answer.status}`);
  const { transaction } = await answer.json();
  const picture = new Image(320, 320);
  picture.alt = 'Código QR';
  picture.src = transaction.processor_response.qr_image;
  checkout.replaceChildren(picture);
}

const button = document.createElement('button');
button.textContent = 'Con QR';
button.addEventListener('click', pay);
checkout.replaceChildren(button);
checkout.state = 'choosing';
checkout.dispatchEvent(new Event('checkout-ready', { bubbles: true }));
