// The start of every test: the shop of `examples/vendure` with its servers, and its people.

import { test as base, expect } from "@playwright/test";
import { Sandbox } from "../../e2e/support/sandbox.mjs";
import { PageInvariants } from "../../e2e/support/invariants.mjs";
import { Admin } from "./admin.mjs";
import { Customer } from "./customer.mjs";
import { EventSender } from "./event-sender.mjs";
import { ShopProgram } from "./shop-program.mjs";
import { Stack } from "./stack.mjs";

export { expect };

/** @import { Fixtures, PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs } from "@playwright/test" */

/**
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
      const stack = await Stack.start(`vendure-${workerIndex}`);
      await use(stack);
      await stack.stop();
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
