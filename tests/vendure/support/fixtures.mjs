// The shop of `examples/vendure`, with the real server and the simulated payment service behind it, and its people.

import { test as base, expect } from "@playwright/test";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Sandbox } from "../../e2e/support/sandbox.mjs";
import { PageInvariants } from "../../e2e/support/invariants.mjs";
import { until } from "../../engines/support/until.mjs";
import { Program, freePort } from "../../shops/support/program.mjs";
import { startBackend, startSandbox, stopServers } from "../../shops/support/servers.mjs";
import { Admin } from "./admin.mjs";
import { Customer } from "./customer.mjs";
import { EventSender } from "./event-sender.mjs";
import { ShopProgram } from "./shop-program.mjs";

export { expect };

/** @import { Fixtures, PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs } from "@playwright/test" */

const EXAMPLE = fileURLToPath(new URL("../../../examples/vendure", import.meta.url));
const RESULTS = process.env.RESULTS ?? "";

const secret = () => randomBytes(24).toString("hex");

/**
 * @typedef {object} Stack
 * @property {string} address of the shop
 * @property {string} sandbox
 * @property {string} server the payment server's PUBLIC_URL
 * @property {string} apiKey
 * @property {string} eventsSecret
 * @property {string} adminPassword
 * @property {string[]} logs the files of what the shop prints, one of each start
 * @property {(meanwhile: () => Promise<void>) => Promise<void>} isDown stops the shop, and starts it again afterwards
 * @property {string[]} secrets all that no log may have
 *
 * @typedef {object} Own
 * @property {Sandbox} sandbox
 * @property {PageInvariants} invariants
 * @property {Customer} customer
 * @property {Admin} admin
 * @property {EventSender} events
 * @property {ShopProgram} program
 */

/** @type {Fixtures<Own, { stack: Stack }, PlaywrightTestArgs & PlaywrightTestOptions, PlaywrightWorkerArgs>} */
const fixtures = {
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here, also of a fixture that needs none.
    async ({}, use, { workerIndex }) => {
      // After a failed test Playwright begins again with another worker, which has databases of its own.
      const name = `vendure-${workerIndex}`;
      const address = `http://127.0.0.1:${await freePort()}`;
      const secrets = { ordersSecret: secret(), eventsSecret: `whsec_${randomBytes(32).toString("base64")}` };
      const sandbox = await startSandbox();
      const { server, apiKey } = await startBackend(sandbox, name, { address, ...secrets });
      const [adminPassword, cookieSecret] = [secret(), secret()];
      /** @type {string[]} */
      const logs = [];
      const settings = {
        PORT: new URL(address).port,
        ELEMENT: process.env.ELEMENT ?? "",
        DATABASE: join(RESULTS, `${name}-shop.sqlite`),
        PAYMENT_SERVER: server,
        SHOP_API_KEY: apiKey,
        ORDERS_SECRET: secrets.ordersSecret,
        EVENTS_SECRET: secrets.eventsSecret,
        COOKIE_SECRET: cookieSecret,
        ADMIN_PASSWORD: adminPassword,
        VENDURE_DISABLE_TELEMETRY: "true",
      };
      /** @type {Program} */
      let shop;
      const start = async () => {
        logs.push(join(RESULTS, `${name}-${logs.length + 1}.log`));
        shop = new Program(logs.at(-1), [process.execPath, join(EXAMPLE, "dist/server.js")], settings);
        await shop.answers(`${address}/health`);
        await until("the shop to have its product", () => hasProduct(address));
      };
      await start();
      const { ordersSecret, eventsSecret } = secrets;
      const all = [apiKey, adminPassword, cookieSecret, ordersSecret, eventsSecret];
      const isDown = async (/** @type {() => Promise<void>} */ meanwhile) => {
        await shop.stop();
        await meanwhile();
        await start();
      };
      await use({ address, sandbox, server, apiKey, adminPassword, eventsSecret, secrets: all, logs, isDown });
      await shop.stop();
      await stopServers();
    },
    { scope: "worker", timeout: 120_000 },
  ],

  baseURL: async ({ stack }, use) => use(stack.address),

  sandbox: async ({ playwright, stack }, use) => {
    const request = await playwright.request.newContext({ baseURL: stack.sandbox });
    await use(new Sandbox(request));
    await request.dispose();
  },

  invariants: async ({ stack, context }, use) => {
    const invariants = new PageInvariants(stack.address, stack.sandbox);
    // The payment server is on another origin of the same site.
    invariants.allows(new RegExp(`^a request to ${stack.server}/`));
    await invariants.watch(context);
    await use(invariants);
    invariants.finish();
  },

  customer: async ({ page, invariants }, use) => use(new Customer(page, invariants.heardBy(page))),

  admin: async ({ playwright, stack }, use) => {
    const request = await playwright.request.newContext({ baseURL: stack.address });
    const admin = new Admin(request);
    await admin.signIn(stack.adminPassword);
    await use(admin);
    await request.dispose();
  },

  events: async ({ stack }, use) => use(new EventSender(stack.address, stack.eventsSecret)),

  program: async ({ stack }, use) => use(new ShopProgram(stack.server, stack.apiKey)),
};

export const test = base.extend(fixtures);

/** The server answers before the shop is filled. @param {string} address */
async function hasProduct(address) {
  const answer = await fetch(`${address}/shop-api`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: "{ products { totalItems } }" }),
  });
  return (await answer.json()).data.products.totalItems > 0;
}
