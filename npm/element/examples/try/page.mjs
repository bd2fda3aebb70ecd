// The page that plays a merchant's server by itself. It does so on the developer's own machine only: served by a shop to
// payers, a checkout that is always paid must not start.

import { TryServer } from './server.mjs';

const [checkout, heading] = [document.querySelector('payment-checkout'), document.querySelector('h1')];
const isOwnMachine = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

if (isOwnMachine) await start();
else checkout.textContent = 'This page plays payments, so it starts only at an address of your own machine, such as http://localhost:8000.';

async function start() {
  const language = new URLSearchParams(location.search).get('lang') ?? navigator.language;
  document.documentElement.lang = /^(es|pt)/.test(language) ? language : 'en';
  if (language.startsWith('es')) [document.title, heading.textContent] = ['Prueba el checkout', 'Un pedido de S/ 129.90'];
  answerRequests(new TryServer({ methods: ['QR', 'CASHCODE'] }));
  // The server forgets its order with the page, so each visit is an order of its own.
  checkout.request = { order_id: crypto.randomUUID() };
  checkout.addEventListener('checkout-result', ({ detail }) => console.info('checkout-result', detail));
  // The package has the element beside its examples, and the sources have none there.
  await import(String(new URL('../../element/payment-checkout.js', import.meta.url)));
  await import('./bar.mjs');
}

/** The server's answers take the place of those of the network; every other address is fetched as ever. */
function answerRequests(/** @type {TryServer} */ server) {
  const elsewhere = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method, url, headers } = request;
    if (!server.takes({ method, url })) return elsewhere(input, init);
    const answer = await server.handle({ method, url, headers, body: await request.text() });
    request.signal.throwIfAborted();
    if (!answer) throw new TypeError('The answer got lost, as it was asked for.');
    return new Response(answer.body || null, answer);
  };
}
