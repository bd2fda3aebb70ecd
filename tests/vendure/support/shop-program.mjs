// Another program of the shop, which asks the payment server what Vendure's order became there.

export class ShopProgram {
  #server;
  #key;

  /** @param {string} server @param {string} key */
  constructor(server, key) {
    this.#server = server;
    this.#key = key;
  }

  /** @param {string} id @returns {Promise<any>} */
  order(id) {
    return this.#call("GET", `/orders/${id}`);
  }

  /** The events of an order, the oldest first. @param {string} id @returns {Promise<any[]>} */
  async events(id) {
    const { events } = await this.#call("GET", "/events");
    // An event has its data in a member of their own, or beside its type.
    return events.map(({ event }) => ({ ...event, ...event.data })).filter(({ order_id }) => order_id === id);
  }

  /** Has an event sent to Vendure once more. @param {string} id */
  resend(id) {
    return this.#call("POST", `/events/${id}/resend`);
  }

  /** @param {string} method @param {string} path */
  async #call(method, path) {
    const headers = { Authorization: `Bearer ${this.#key}` };
    const answer = await fetch(`${this.#server}/shop${path}`, { method, headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text && JSON.parse(text);
  }
}
