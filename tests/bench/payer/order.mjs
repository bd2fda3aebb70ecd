// An order, which a shop has made before its page is opened.

/** @import { BrowserContext } from "@playwright/test" */

/**
 * Makes one for the payer of this context, and gives the address of the page about it.
 * @param {BrowserContext} context
 * @param {string} address
 */
export async function pageOfAnOrder(context, address) {
  const answer = await context.request.post(`${address}/api/orders`, {
    data: { items: [{ sku: "mochila-telar", quantity: 1 }] },
  });
  if (!answer.ok()) throw new Error(`POST /api/orders: ${answer.status()} ${await answer.text()}`);
  const { order_id, amount, currency } = await answer.json();
  return `${address}/?${new URLSearchParams({ order_id, amount, currency })}`;
}
