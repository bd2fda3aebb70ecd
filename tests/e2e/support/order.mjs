import { expect } from "@playwright/test";

/** @import { BrowserContext } from "@playwright/test" */

const CUSTOMER = { first_name: "Rosa", last_name: "Quispe", email: "rosa@ejemplo.pe" };

/**
 * An order in the shop's server, without the shop's page. Its session goes to the context.
 * @param {BrowserContext} context
 */
export async function placeOrder(context, items = [{ sku: "mochila-telar", quantity: 1 }]) {
  const answer = await context.request.post("/api/orders", { data: { items, customer: CUSTOMER } });
  expect(answer.status()).toBe(201);
  const { order_id, amount } = await answer.json();
  return new Order(context, order_id, amount);
}

/** An order as the shop's server knows it. */
export class Order {
  #context;

  /**
   * @param {BrowserContext} context
   * @param {string} id
   * @param {string} amount in cents
   */
  constructor(context, id, amount) {
    this.#context = context;
    this.id = id;
    this.amount = amount;
    this.path = `/?order=${id}`;
  }

  async state() {
    return (await this.#load()).state;
  }

  /**
   * Every operation that was begun for it, the lost ones included.
   * @returns {Promise<any[]>}
   */
  async operations() {
    return (await this.#load()).operations;
  }

  /** @returns {Promise<string[]>} */
  async numbers() {
    return (await this.operations()).map((operation) => operation.merchant_operation_number);
  }

  /** The number of its only operation. */
  async number() {
    const numbers = await this.numbers();
    expect(numbers).toHaveLength(1);
    return numbers[0];
  }

  /**
   * The number of the operation that took the place of another, or of others.
   * @param {string[]} earlier
   */
  async numberAfter(...earlier) {
    const numbers = (await this.numbers()).filter((number) => !earlier.includes(number));
    expect(numbers).toHaveLength(1);
    return numbers[0];
  }

  /**
   * Begins an operation of any method, as a page without the element would; answers with it.
   * @param {string} method_name
   */
  async begin(method_name, method_details = {}) {
    const answer = await this.#context.request.post("/api/charges", {
      headers: { "Idempotency-Key": `"${crypto.randomUUID()}"` },
      data: { order_id: this.id, payment_method: { method_name, method_details } },
    });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  }

  async #load() {
    const answer = await this.#context.request.get(`/api/orders/${this.id}`);
    expect(answer.status()).toBe(200);
    return answer.json();
  }
}
