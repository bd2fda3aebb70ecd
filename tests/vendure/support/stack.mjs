// The shop of `examples/vendure`, the real server behind it, and the simulated payment service behind that.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../../engines/support/until.mjs";
import { Program, freePort } from "../../shops/support/program.mjs";
import { startBackend, startSandbox, stopServers } from "../../shops/support/servers.mjs";

const SHOP = fileURLToPath(new URL("../../../examples/vendure/dist/server.js", import.meta.url));
const RESULTS = process.env.RESULTS ?? "";

const secret = () => randomBytes(24).toString("hex");

export class Stack {
  /** @type {Program | undefined} */
  #shop;
  ordersSecret = secret();
  eventsSecret = `whsec_${randomBytes(32).toString("base64")}`;
  cookieSecret = secret();
  adminPassword = secret();
  /** @type {string[]} The files of what the shop printed, one of each start. */
  logs = [];

  /** @param {string} name of its databases and logs */
  static async start(name) {
    const stack = new Stack();
    stack.name = name;
    try {
      stack.address = `http://127.0.0.1:${await freePort()}`;
      stack.sandbox = await startSandbox();
      const { server, apiKey } = await startBackend(stack.sandbox, name, stack);
      Object.assign(stack, { server, apiKey });
      await stack.#startShop();
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  name = "";
  /** Of the shop. */
  address = "";
  sandbox = "";
  /** The payment server's PUBLIC_URL. */
  server = "";
  apiKey = "";

  async #startShop() {
    const log = join(RESULTS, `${this.name}-${this.logs.length + 1}.log`);
    this.logs.push(log);
    this.#shop = new Program(log, [process.execPath, SHOP], {
      PORT: new URL(this.address).port,
      ELEMENT: process.env.ELEMENT ?? "",
      DATABASE: join(RESULTS, `${this.name}-shop.sqlite`),
      PAYMENT_SERVER: this.server,
      SHOP_API_KEY: this.apiKey,
      ORDERS_SECRET: this.ordersSecret,
      EVENTS_SECRET: this.eventsSecret,
      COOKIE_SECRET: this.cookieSecret,
      ADMIN_PASSWORD: this.adminPassword,
      VENDURE_DISABLE_TELEMETRY: "true",
    });
    await this.#shop.answers(`${this.address}/health`);
    // It answers before it is filled.
    await until("the shop to have its product", () => this.#hasProduct());
  }

  async #hasProduct() {
    const answer = await fetch(`${this.address}/shop-api`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query: "{ products { totalItems } }" }),
    });
    return (await answer.json()).data.products.totalItems > 0;
  }

  /** All that no log may have. */
  get secrets() {
    return [this.apiKey, this.ordersSecret, this.eventsSecret, this.cookieSecret, this.adminPassword];
  }

  /** The shop is stopped, and starts again afterwards. @param {() => Promise<void>} meanwhile */
  async isDown(meanwhile) {
    await this.#shop?.stop();
    await meanwhile();
    await this.#startShop();
  }

  async stop() {
    await this.#shop?.stop();
    await stopServers();
  }
}
