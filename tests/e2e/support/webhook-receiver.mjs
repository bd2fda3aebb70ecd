import { expect } from "@playwright/test";

/** The merchant's own system: its received events, and a switch to take it down. */
export class WebhookReceiver {
  #request;

  constructor(request) {
    this.#request = request;
  }

  /** The events of an order, as they arrived. */
  async of(order) {
    const answer = await this.#request.get("/events");
    expect(answer.ok()).toBe(true);
    const newestFirst = await answer.json();
    return newestFirst.filter((event) => event.order_id === order.id).reverse();
  }

  /** Their types. */
  async types(order) {
    return (await this.of(order)).map(({ type }) => type);
  }

  async isDown(down) {
    const answer = await this.#request.put("/down", { data: { down } });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
}
