// The merchant's side: a sale, and the events that the merchant's own system received.

import { expect } from "@playwright/test";
import { servers } from "../../servers.mjs";
import { placeOrder } from "./order.mjs";

/** @import { Order } from "./order.mjs" */
/** @import { Sandbox } from "./sandbox.mjs" */
/** @import { APIRequestContext, BrowserContext } from "@playwright/test" */

/** A sale by installments, and the service's view of it. */
export class Sale {
  #sandbox;

  /**
   * @param {Order} order
   * @param {string} number
   * @param {Sandbox} sandbox
   */
  constructor(order, number, sandbox) {
    this.order = order;
    this.number = number;
    this.cents = Number(order.amount);
    this.#sandbox = sandbox;
  }

  /**
   * Sells, and moves the operation on at the service, step by step.
   * @param {BrowserContext} context
   * @param {Sandbox} sandbox
   * @param {string[]} steps
   */
  static async make(context, sandbox, steps = [], method = "INSTALLMENT") {
    const order = await placeOrder(context);
    const back = new URL(order.path, servers.shop).href;
    const details = method === "INSTALLMENT" ? { redirect_url: back } : {};
    const answer = await context.request.post("/api/charges", {
      headers: { "Idempotency-Key": `"${order.id}"` },
      data: {
        order_id: order.id,
        payment_method: { method_name: method, method_details: details },
      },
    });
    expect(answer.status(), await answer.text()).toBe(200);
    const { merchant_operation_number: number } = await answer.json();
    for (const step of steps) {
      await sandbox.drive(number, step);
    }
    return new Sale(order, number, sandbox);
  }

  /**
   * Every refund that the service registered for it.
   * @returns {Promise<{ refund_id: string, amount: string }[]>}
   */
  async refunds() {
    const entries = await this.#sandbox.journal(this.order, { method: "POST", path: /^\/refund$/ });
    return entries.flatMap(({ refunds }) => refunds ?? []);
  }

  /** The same, in cents. */
  async refunded() {
    return (await this.refunds()).map(({ amount }) => Number(amount));
  }
}

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
