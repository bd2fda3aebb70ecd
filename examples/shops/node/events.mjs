// The payment server tells here what was paid. No browser does: anybody can send what a browser sends.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { findOrder, saveOrder, secret } from './orders.mjs';

const KEY = keyOf(secret('EVENTS_SECRET'));

/** The key of a secret. A mistyped one would be a short or an empty key, and anybody can sign with that. */
function keyOf(secret) {
  if (!secret.startsWith('whsec_')) return secret;
  const key = Buffer.from(secret.slice(6), 'base64');
  const isWhole = key.toString('base64') === secret.slice(6) && key.length >= 24;
  if (!isWhole) throw new Error('EVENTS_SECRET is not whsec_ and at least 24 bytes in base64');
  return key;
}

/** Whether these bytes are the payment server's and new, by the convention Standard Webhooks. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time = '', 'webhook-signature': signatures = '' } = headers;
  const hash = createHmac('sha256', KEY).update(`${id}.${time}.`).update(body).digest('base64');
  const right = Buffer.from(`v1,${hash}`);
  // While a secret is being changed, there are several signatures. Each is compared in constant time.
  const equal = (one) => one.length === right.length && timingSafeEqual(one, right);
  const signed = signatures.split(' ').some((one) => equal(Buffer.from(one)));
  return signed && Math.abs(Date.now() / 1000 - Number(time)) <= 300;
}

/** Takes an event, and returns the status of the answer. All but 2xx is sent again. */
export async function takeEvent(request) {
  let body = Buffer.alloc(0);
  for await (const chunk of request) {
    body = Buffer.concat([body, chunk]);
    if (body.length > 100_000) return 413;
  }
  if (!isGenuine(request.headers, body)) return 401;
  const { type, data } = JSON.parse(body);
  const order = findOrder(data.order_id);
  if (!order) return 404;
  if (order.events.includes(data.id)) return 204; // it came before: nothing is done twice
  switch (type) {
    case 'order.paid':
    case 'order.paid_late':
      if (data.amount !== String(order.amount) || data.currency !== order.currency) {
        console.error(`${order.id}: ${data.amount} ${data.currency} is not its price`);
        return 422;
      }
      order.paid = true; // the delivery starts here
      break;
    case 'order.reversed':
      order.paid = data.order_state === 'paid'; // another payment may be in force
      break;
    default:
      console.error(`${order.id}: ${type}`); // a refund, or paid twice: for your staff
  }
  order.events.push(data.id);
  saveOrder(order);
  return 204;
}
