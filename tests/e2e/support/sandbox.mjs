import { expect } from "@playwright/test";

/** The payment service from behind: what it saw, what it holds, what happens to it. */
export class Sandbox {
  #request;

  constructor(request) {
    this.#request = request;
    this.controls = new Controls(this);
  }

  /** The requests that the service received about an order's operations. */
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

  /** The requests to authorize that an order caused. */
  async authorizations(order) {
    return this.journal(order, { method: "POST", path: /^\/charges$/ });
  }

  /** The requests to cancel that reached the service. */
  async cancellations(order) {
    return this.journal(order, { method: "DELETE" });
  }

  /** An operation by its number, with what its QR says. */
  async operation(number) {
    return this.#answer(await this.#request.get(`/sandbox/operations/${number}`));
  }

  async state(number) {
    const { operation } = await this.operation(number);
    return operation.transactions[0].state;
  }

  /** Pays, declines, expires … an operation: `step` is the name in the control interface. */
  async drive(number, step, body) {
    const address = `/sandbox/operations/${number}/${step}`;
    return this.#answer(await this.#request.post(address, body && { data: body }));
  }

  /** A refund is processed, resolved or rejected. */
  async driveRefund(id, step) {
    return this.#answer(await this.#request.post(`/sandbox/refunds/${id}/${step}`));
  }

  /** An operation that no browser began. */
  async create(operation) {
    const { operation: made } = await this.#answer(
      await this.#request.post("/sandbox/operations", { data: operation }),
    );
    return made;
  }

  async settings() {
    return this.get("/sandbox/settings");
  }

  async get(path) {
    return this.#answer(await this.#request.get(path));
  }

  async put(path, data) {
    return this.#answer(await this.#request.put(path, { data }));
  }

  async #answer(answer) {
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.headers()["content-type"]?.includes("json") ? answer.json() : undefined;
  }
}

/** The settings of the service, which the tests of one worker share. */
class Controls {
  #sandbox;

  constructor(sandbox) {
    this.#sandbox = sandbox;
  }

  /** Sets the faults from now on, in place of the planned ones. */
  async faults(...faults) {
    await this.#sandbox.put("/sandbox/faults", faults);
  }

  /** How many times something is still to go wrong. */
  async faultsLeft() {
    const { left } = await this.#sandbox.get("/sandbox/faults");
    return left.reduce((sum, [, times]) => sum + times, 0);
  }

  /** Moves the service's clock away from all other clocks. */
  async clock(seconds) {
    await this.#sandbox.put("/sandbox/clock", { offset_s: seconds });
  }

  async settings(settings) {
    await this.#sandbox.put("/sandbox/settings", settings);
  }

  async reset(settings) {
    await this.faults();
    await this.clock(0);
    await this.settings(settings);
  }
}
