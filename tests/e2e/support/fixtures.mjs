// The start of every test: a payer whose browser is watched, the sandbox, and the merchant's side.

import { expect, test as base } from "@playwright/test";
import { Sale, WebhookReceiver } from "./merchant.mjs";
import { Payer } from "./payer.mjs";
import { Sandbox } from "./sandbox.mjs";
import { Staff } from "./pages/staff.mjs";
import { servers } from "../../servers.mjs";
import { PageInvariants } from "./invariants.mjs";

export { expect };

/** @import { BrowserContext, BrowserContextOptions, Fixtures } from "@playwright/test" */
/** @import { PlaywrightTestArgs, PlaywrightTestOptions } from "@playwright/test" */
/** @import { PlaywrightWorkerArgs, PlaywrightWorkerOptions } from "@playwright/test" */
/** @import { Order } from "./order.mjs" */
/** @import { Checkout } from "./pages/checkout.mjs" */
/** @import { Shop } from "./pages/shop.mjs" */

/**
 * @typedef {object} OwnFixtures
 * @property {Sandbox} sandbox the payment service from behind
 * @property {Sandbox["controls"]} controls
 * @property {PageInvariants} invariants
 * @property {(options?: BrowserContextOptions) => Promise<Payer>} device
 * @property {Payer} payer
 * @property {Awaited<ReturnType<Payer["begins"]>>} waiting
 * @property {Order} order
 * @property {Shop} shop
 * @property {Checkout} checkout
 * @property {WebhookReceiver} webhooks
 * @property {(name?: string, path?: string) => Promise<Staff>} signIn
 * @property {(...steps: string[]) => Promise<Sale>} sell
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

  /** The payer of the test. */
  payer: [
    async ({ context, page, invariants, sandbox }, use) => {
      await invariants.watch(context);
      await use(new Payer(page, invariants, sandbox));
    },
    { auto: true },
  ],

  /** The payer's order, not opened yet. */
  order: async ({ payer }, use) => use(await payer.orders()),

  /** The payer's order is open in the page, and its QR code waits to be paid. For more: `payer.begins`. */
  waiting: async ({ payer, order }, use) => use(await payer.begins({ order })),

  /** What the payer looks at: the shop's page, and the element in it. */
  shop: async ({ payer }, use) => use(payer.shop),
  checkout: async ({ payer }, use) => use(payer.checkout),

  /** Another device: no cookies, no storage. With `payer.session()` it is a device of the same payer. */
  device: async ({ browser, contextOptions, invariants, sandbox }, use) => {
    /** @type {BrowserContext[]} */
    const contexts = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ ...contextOptions, ...options });
      contexts.push(context);
      await invariants.watch(context);
      return new Payer(await context.newPage(), invariants, sandbox);
    });
    for (const context of contexts) {
      await context.close();
    }
  },

  /** The merchant's own system, which hears of payments. */
  webhooks: async ({ playwright }, use) => {
    const request = await playwright.request.newContext({
      baseURL: servers.receiver,
    });
    await use(new WebhookReceiver(request));
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
};

export const test = base.extend(fixtures);
