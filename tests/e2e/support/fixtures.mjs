// The start of every test: a payer's browser under watch, the sandbox, and orders.

import { expect, test as base } from "@playwright/test";
import { Agent } from "./pages/agent.mjs";
import { Bank } from "./pages/bank.mjs";
import { Checkout } from "./pages/checkout.mjs";
import { WebhookReceiver } from "./webhook-receiver.mjs";
import { Lender } from "./pages/lender.mjs";
import { placeOrder } from "./order.mjs";
import { Phone } from "./pages/phone.mjs";
import { Sandbox } from "./sandbox.mjs";
import { Sale } from "./sale.mjs";
import { Shop } from "./pages/shop.mjs";
import { Staff } from "./pages/staff.mjs";
import { servers } from "../../servers.mjs";
import { PageInvariants } from "./invariants.mjs";

export { expect };

/** @import { BrowserContext, BrowserContextOptions, Fixtures, Page } from "@playwright/test" */
/** @import { PlaywrightTestArgs, PlaywrightTestOptions } from "@playwright/test" */
/** @import { PlaywrightWorkerArgs, PlaywrightWorkerOptions } from "@playwright/test" */
/** @import { Order } from "./order.mjs" */

/**
 * @typedef {object} Payer one browser context: what a device is to the servers
 * @property {import("@playwright/test").BrowserContext} context
 * @property {import("@playwright/test").Page} page
 * @property {Shop} shop
 * @property {Checkout} checkout
 * @property {Lender} lender
 * @property {Phone} phone
 * @property {Agent} agent
 * @property {Bank} bank
 */

/**
 * @typedef {object} OwnFixtures
 * @property {Sandbox} sandbox the payment service from behind
 * @property {Sandbox["controls"]} controls
 * @property {PageInvariants} invariants
 * @property {(context: BrowserContext) => Promise<Payer>} visit
 * @property {(options?: BrowserContextOptions) => Promise<Payer>} device
 * @property {Payer} payer
 * @property {Shop} shop
 * @property {Checkout} checkout
 * @property {Lender} lender
 * @property {Phone} phone
 * @property {Agent} agent
 * @property {Bank} bank
 * @property {WebhookReceiver} webhooks
 * @property {(name?: string, path?: string) => Promise<Staff>} signIn
 * @property {(...steps: string[]) => Promise<Sale>} sell
 * @property {Order} order
 */

/** @type {Fixtures<OwnFixtures, {}, PlaywrightTestArgs & PlaywrightTestOptions, PlaywrightWorkerArgs & PlaywrightWorkerOptions>} */
const fixtures = {
  /** The payment service from behind. */
  sandbox: async ({ playwright }, use) => {
    const request = await playwright.request.newContext({ baseURL: servers.sandbox });
    await use(new Sandbox(request));
    await request.dispose();
  },

  /**
   * The sandbox's clock, settings and faults. Each change that a test makes is undone after it, since
   * the next test has the same servers.
   */
  controls: async ({ sandbox }, use) => {
    const settings = await sandbox.settings();
    await use(sandbox.controls);
    await sandbox.controls.reset(settings);
  },

  /** Sees every page of the test: errors, violations of the policy, strange addresses, events. */
  invariants: async ({ baseURL }, use) => {
    const invariants = new PageInvariants(String(baseURL), servers.sandbox);
    await use(invariants);
    invariants.finish();
  },

  /** Another page of a device, with everything on it. */
  visit: async ({ invariants }, use) => {
    await use(async (context) => {
      const page = await context.newPage();
      return payerOf(context, page, invariants);
    });
  },

  /** A device of its own: no cookies, no storage. */
  device: async ({ browser, contextOptions, invariants, visit }, use) => {
    /** @type {BrowserContext[]} */
    const contexts = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ ...contextOptions, ...options });
      contexts.push(context);
      await invariants.watch(context);
      return visit(context);
    });
    for (const context of contexts) {
      await context.close();
    }
  },

  payer: [
    async ({ context, page, invariants }, use) => {
      await invariants.watch(context);
      await use(payerOf(context, page, invariants));
    },
    { auto: true },
  ],

  shop: async ({ payer }, use) => use(payer.shop),
  checkout: async ({ payer }, use) => use(payer.checkout),
  lender: async ({ payer }, use) => use(payer.lender),
  phone: async ({ payer }, use) => use(payer.phone),
  agent: async ({ payer }, use) => use(payer.agent),
  bank: async ({ payer }, use) => use(payer.bank),

  /** The merchant's own system, which hears of payments. */
  webhooks: async ({ playwright }, use) => {
    const request = await playwright.request.newContext({
      baseURL: servers.receiver,
    });
    const webhooks = new WebhookReceiver(request);
    await use(webhooks);
    await webhooks.isDown(false);
    await request.dispose();
  },

  /** Signs a member of staff in, on a device of their own. */
  signIn: async ({ device, invariants }, use) => {
    // Before the sign-in the browser reports a 401 in the console.
    invariants.allows(/status of 401 .*\/api\/staff\/session\)/);
    await use(async (name = "ana", path = "") => {
      const { page } = await device();
      const staff = new Staff(page, path.includes("lang=en") ? "en" : "es");
      await staff.open(path);
      await staff.signIn(name);
      await expect(staff.signOutButton).toBeVisible();
      return staff;
    });
  },

  /** Makes operations that were not begun in a browser of this test: by installments, paid. */
  sell: async ({ device, sandbox }, use) => {
    const { context } = await device();
    await use(async (...steps) => Sale.make(context, sandbox, steps));
  },

  /** An order of this test's own, not shown yet. */
  order: async ({ context }, use) => use(await placeOrder(context)),
};

export const test = base.extend(fixtures);

/**
 * @param {BrowserContext} context
 * @param {Page} page
 * @param {PageInvariants} invariants
 * @returns {Payer}
 */
function payerOf(context, page, invariants) {
  return {
    context,
    page,
    shop: new Shop(page),
    checkout: new Checkout(page, invariants.heardBy(page)),
    lender: new Lender(page),
    phone: new Phone(page),
    agent: new Agent(page),
    bank: new Bank(page),
  };
}
