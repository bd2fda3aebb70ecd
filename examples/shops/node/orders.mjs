// The shop's own orders, one file each. In a shop of your own they are a table of its database, and a
// change of an order is one transaction.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const PRODUCTS = { 'mochila-telar': { name: 'Mochila de telar «Ñandutí»', price: 12990 } }; // in cents
const FOLDER = new URL('orders/', import.meta.url);

/** Makes an order. The price is the shop's; a browser says at most what it wants, and how many. */
export function newOrder(sku, quantity) {
  const { name, price } = PRODUCTS[sku];
  const order = {
    id: randomBytes(16).toString('hex'), // nobody guesses the page of another payer
    amount: quantity * price,
    currency: 'PEN',
    payer: { first_name: 'Íñigo', last_name: 'Núñez', email: 'inigo@example.com' },
    products: [{ sku, name, quantity, unit_price: price }],
    paid: false,
    events: [],
  };
  saveOrder(order);
  return order;
}

/** The order of this id, which may be anything that a stranger sent. */
export function findOrder(id) {
  if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id)) return undefined;
  const file = new URL(`${id}.json`, FOLDER);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

export function saveOrder(order) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(new URL(`${order.id}.json`, FOLDER), JSON.stringify(order));
}

/** A secret of the environment. Without it nothing goes on: anybody can sign with an empty one. */
export function secret(name) {
  const value = process.env[name] ?? '';
  if (value.length < 32) throw new Error(`${name} is missing or too short`);
  return value;
}
