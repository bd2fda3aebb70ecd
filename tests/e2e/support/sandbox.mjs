import { expect } from "@playwright/test";

/** @import { APIRequestContext, APIResponse } from "@playwright/test" */
/** @import { Order } from "./order.mjs" */

/** The payment service from behind: what it saw, what it holds, what happens to it. */
export class Sandbox {
  #request;

  /** @param {APIRequestContext} request */
  constructor(request) {
    this.#request = request;
    this.controls = new Controls(this);
  }

  /**
   * The requests that the service received about an order's operations.
   * @param {Order} order
   * @param {{ method?: string, path?: RegExp }} [wanted]
   * @returns {Promise<any[]>}
   */
  async journal(order, { method, path } = {}) {
    const numbers = await order.numbers();
    const text = await (await this.#request.get("/sandbox/journal")).text();
    const entries = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    return entries.filter(
      (entry) =>
        numbers.includes(entry.merchant_operation_number) &&
        (method === undefined || entry.method === method) &&
        (path === undefined || path.test(entry.path)),
    );
  }

  /**
   * The requests to authorize that an order caused.
   * @param {Order} order
   */
  async authorizations(order) {
    return this.journal(order, { method: "POST", path: /^\/charges$/ });
  }

  /**
   * The requests to cancel that reached the service.
   * @param {Order} order
   */
  async cancellations(order) {
    return this.journal(order, { method: "DELETE" });
  }

  /**
   * An operation by its number, with what its QR says.
   * @param {string} number
   */
  async operation(number) {
    return this.#answer(await this.#request.get(`/sandbox/operations/${number}`));
  }

  /** @param {string} number */
  async state(number) {
    const { operation } = await this.operation(number);
    return operation.transactions[0].state;
  }

  /**
   * The states that an operation had, the first one first.
   * @param {string} number
   * @returns {Promise<string[]>}
   */
  async lifecycle(number) {
    const { operation } = await this.operation(number);
    return operation.transactions[0].lifecycle.map((/** @type {{ state: string }} */ { state }) => state);
  }

  /**
   * Pays, declines, expires … an operation.
   * @param {string} number
   * @param {string} step the name in the control interface
   * @param {object} [body]
   */
  async drive(number, step, body) {
    const address = `/sandbox/operations/${number}/${step}`;
    return this.#answer(await this.#request.post(address, body && { data: body }));
  }

  /**
   * A refund is processed, resolved or rejected.
   * @param {string} id
   * @param {string} step
   */
  async driveRefund(id, step) {
    return this.#answer(await this.#request.post(`/sandbox/refunds/${id}/${step}`));
  }

  /**
   * An operation that no browser began.
   * @param {object} operation
   */
  async create(operation) {
    const { operation: made } = await this.#answer(
      await this.#request.post("/sandbox/operations", { data: operation }),
    );
    return made;
  }

  async settings() {
    return this.get("/sandbox/settings");
  }

  /** @param {string} path */
  async get(path) {
    return this.#answer(await this.#request.get(path));
  }

  /**
   * @param {string} path
   * @param {unknown} data
   */
  async put(path, data) {
    return this.#answer(await this.#request.put(path, { data }));
  }

  /**
   * @param {APIResponse} answer
   * @returns {Promise<any>}
   */
  async #answer(answer) {
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.headers()["content-type"]?.includes("json") ? answer.json() : undefined;
  }
}

/** The settings of the service, which the tests of one worker share. */
class Controls {
  #sandbox;

  /** @param {Sandbox} sandbox */
  constructor(sandbox) {
    this.#sandbox = sandbox;
  }

  /**
   * Sets the faults from now on, in place of the planned ones.
   * @param {object[]} faults
   */
  async faults(...faults) {
    await this.#sandbox.put("/sandbox/faults", faults);
  }

  /** How many times something is still to go wrong. */
  async faultsLeft() {
    /** @type {{ left: [unknown, number][] }} */
    const { left } = await this.#sandbox.get("/sandbox/faults");
    return left.reduce((sum, [, times]) => sum + times, 0);
  }

  /**
   * Moves the service's clock away from all other clocks.
   * @param {number} seconds
   */
  async clock(seconds) {
    await this.#sandbox.put("/sandbox/clock", { offset_s: seconds });
  }

  /** @param {object} settings */
  async settings(settings) {
    await this.#sandbox.put("/sandbox/settings", settings);
  }

  /** @param {object} settings */
  async reset(settings) {
    await this.faults();
    await this.clock(0);
    await this.settings(settings);
  }
}
