// The page of an order. It signs the order for the payment server, anew each time that it is opened.
//
//   node shop.mjs
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { takeEvent } from './events.mjs';
import { findOrder, newOrder, secret } from './orders.mjs';

const SERVER = process.env.PAYMENT_SERVER ?? 'http://127.0.0.1:8081/api'; // its PUBLIC_URL
const PORT = Number(process.env.PORT ?? 8000);
const ORDERS_SECRET = secret('ORDERS_SECRET');
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

/** A signed order: a JWS in compact form (HS256), as a library for JWT makes it, too. */
function signed(claims) {
  const base64url = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`;
  return `${text}.${createHmac('sha256', ORDERS_SECRET).update(text).digest('base64url')}`;
}

const html = (text) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
/** Lines of the element, with which it comes sooner. They name the wasm of one build, so each page takes them anew. */
const preload = () => readFile(new URL('element/preload.html', import.meta.url), 'utf8').catch(() => '');

async function page({ id, amount, currency, payer, products, paid }) {
  const iat = Math.floor(Date.now() / 1000);
  const token = signed({ aud: SERVER, iat, exp: iat + 3600, order_id: id, amount, currency, payer, products });
  const checkout = `
  ${await preload()}
  <payment-checkout base-url="${html(SERVER)}" live-url="${html(SERVER)}/charges/live" merchant-name="Retama y Cumbre"
                    order="${token}" paid-url="/?order=${html(id)}&amp;paid">
    <p>If the checkout does not come, pay here:</p>
    <form method="post" action="${html(SERVER)}/pay">
      <input type="hidden" name="order" value="${token}">
      <button>Pay on a page without scripts</button>
    </form>
  </payment-checkout>
  <script type="module" src="/element/payment-checkout.js"></script>`;
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Your order</title>
  <style>body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font-family: system-ui, sans-serif }</style>
</head>
<body>
  <h1>Your order</h1>
  <p>${html(`${products[0].name}, ${(amount / 100).toFixed(2)} ${currency}`)}</p>
  ${paid ? '<p>Your order is paid. Thank you! <a href="/">Another one</a></p>' : checkout}
</body>
</html>
`;
}

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://shop');
  if (pathname === '/events') {
    response.writeHead(await takeEvent(request)).end();
  } else if (/^\/element\/[\w./-]+$/.test(pathname)) {
    const file = await readFile(new URL(`.${pathname}`, import.meta.url));
    response.writeHead(200, { 'Content-Type': TYPES[extname(pathname)] ?? 'text/plain' }).end(file);
  } else if (pathname === '/' && !searchParams.has('order')) {
    // In your shop this is the cart. The address of an order keeps: its reload is no second order.
    response.writeHead(303, { Location: `/?order=${newOrder('mochila-telar', 1).id}` }).end();
  } else {
    const order = pathname === '/' && findOrder(searchParams.get('order'));
    const [status, type, body] = order ? [200, 'html', await page(order)] : [404, 'plain', 'There is no such order.'];
    // The token is this payer's, so no cache keeps the page.
    const headers = { 'Content-Type': `text/${type}; charset=utf-8`, 'Cache-Control': 'no-store' };
    response.writeHead(status, headers).end(body);
  }
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    response.writeHead(error.code === 'ENOENT' ? 404 : 500).end();
  });
}).listen(PORT, '127.0.0.1', () => console.log(`The shop is open: http://127.0.0.1:${PORT}/`));
