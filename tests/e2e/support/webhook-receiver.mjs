import { expect } from "@playwright/test";

/** @import { APIRequestContext } from "@playwright/test" */
/** @import { Order } from "./order.mjs" */

/** The merchant's own system: its received events. */
export class WebhookReceiver {
  #request;

  /** @param {APIRequestContext} request */
  constructor(request) {
    this.#request = request;
  }

  /**
   * The events of an order, as they arrived.
   * @param {Order} order
   */
  async of(order) {
    const answer = await this.#request.get("/events");
    expect(answer.ok()).toBe(true);
    /** @type {any[]} */
    const newestFirst = await answer.json();
    return newestFirst.filter((event) => event.data.order_id === order.id).reverse();
  }

  /**
   * Their types.
   * @param {Order} order
   */
  async types(order) {
    return (await this.of(order)).map(({ type }) => type);
  }
}
