// What the shop asks the payment server about its own orders, and what it has it do, without a browser:
//
//   node server.mjs page ORDER      gives the order to the server; `pay_url` is its page, for a mail or a chat
//   node server.mjs ask ORDER
//   node server.mjs cancel ORDER
//   node server.mjs refund ORDER RETURN CENTS|all   RETURN is the shop's own number of the return
//   node server.mjs events [CURSOR]                 CURSOR is `next` of the last answer
import { findOrder, secret } from './orders.mjs';

const SERVER = process.env.PAYMENT_SERVER ?? 'http://127.0.0.1:8081/api'; // its PUBLIC_URL

/** The server's answer, or the problem that it names. A request that got no answer is repeated with the same key. */
async function call(method, path, body, key) {
  const headers = { Authorization: `Bearer ${secret('SHOP_API_KEY')}`, 'Content-Type': 'application/json' };
  if (key) headers['Idempotency-Key'] = `"${key}"`;
  const answer = await fetch(`${SERVER}/shop${path}`, { method, headers, body: body && JSON.stringify(body) });
  return answer.json();
}

function run(act, ...words) {
  switch (act) {
    case 'page': {
      const { id, amount, currency, payer, products } = findOrder(words[0]);
      return call('POST', '/orders', { order_id: id, amount, currency, payer, products });
    }
    case 'ask':
      return call('GET', `/orders/${words[0]}`);
    case 'cancel':
      return call('POST', `/orders/${words[0]}/cancel`);
    case 'refund': {
      const [order_id, number, amount] = words; // in cents, or `all` for everything that is left
      return call('POST', '/refunds', { order_id, amount }, `return-${number}`);
    }
    default:
      return call('GET', act === 'events' && words.length > 0 ? `/events?after=${words[0]}` : '/events');
  }
}

console.log(JSON.stringify(await run(...process.argv.slice(2))));
