import { get, post } from "./server.js";

/**
 * An order as the shop's server knows it.
 *
 * @typedef {object} Order
 * @property {string} order_id
 * @property {string} [label] the short name that people use for it
 * @property {string} amount in cents
 * @property {string} currency
 * @property {string} [state]
 * @property {string[]} [methods] how it can be paid
 * @property {{ sku: string, name?: string, quantity: number, unit_price?: string | number }[]} [items]
 * @property {Attempt[]} [operations] its attempts to be paid
 */

/**
 * An attempt to pay an order.
 *
 * @typedef {object} Attempt
 * @property {string} merchant_code
 * @property {string} merchant_operation_number
 * @property {string | null} transaction_id
 * @property {string | null} outcome
 */

/** @typedef {{ first_name: string, last_name: string, email: string }} Customer */

const STORED = "order";

/** The last order of this page and the request that made it: asking again is the same order. */
let last = { request: "", order: /** @type {Order | null} */ (null) };

/**
 * Orders these things. The same things for the same person, not paid yet, stay the same order, so
 * that Back and a second try leave no second one behind.
 *
 * @param {{ sku: string, quantity: number }[]} items
 * @param {Customer} customer
 * @returns {Promise<Order>}
 */
export async function placeOrder(items, customer) {
  const body = { items, customer };
  const request = JSON.stringify(body);
  if (last.order !== null && last.request === request && rememberedOrder()?.order_id === last.order.order_id) {
    return last.order;
  }
  const order = await post("/api/orders", body);
  last = { request, order };
  remember(order);
  return order;
}

/**
 * @param {string} id
 * @returns {Promise<Order>}
 */
export function loadOrder(id) {
  return get(`/api/orders/${encodeURIComponent(id)}`);
}

/** @param {Order} order */
export function isPaid(order) {
  return order.state === "paid";
}

/**
 * The order that was begun here and is not paid, with its amount, and nothing about the person. A tab that was closed
 * does not lose it.
 *
 * @returns {Order | null}
 */
export function rememberedOrder() {
  try {
    const order = JSON.parse(localStorage.getItem(STORED) ?? "null");
    return typeof order?.order_id === "string" ? order : null;
  } catch {
    return null;
  }
}

/** @param {Order} order */
export function remember({ order_id, label, amount, currency, methods }) {
  try {
    localStorage.setItem(STORED, JSON.stringify({ order_id, label, amount, currency, methods }));
  } catch {
    // Without storage the address bar alone knows the order.
  }
}

/** Forgets the order: it is paid, or not wanted. */
export function forgetOrder() {
  last = { request: "", order: null };
  try {
    localStorage.removeItem(STORED);
  } catch {
    // Nothing was stored.
  }
}
