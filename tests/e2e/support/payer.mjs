import { placeOrder } from "./order.mjs";
import { Checkout } from "./pages/checkout.mjs";
import { Agent, Bank, Lender, Phone } from "./pages/payment-places.mjs";
import { Shop } from "./pages/shop.mjs";

/** @import { PageInvariants } from "./invariants.mjs" */
/** @import { Order } from "./order.mjs" */
/** @import { Word } from "./pages/checkout.mjs" */
/** @import { Sandbox } from "./sandbox.mjs" */
/** @import { BrowserContextOptions, Page } from "@playwright/test" */

/** @typedef {"QR" | "INSTALLMENT" | "CASHCODE" | "BANK_TRANSFER"} Method */

/**
 * @typedef {object} Visit how the page of an order is opened
 * @property {Order} [order] the payer's own order if it is left out
 * @property {"es" | "en" | "pt"} [lang] of the shop's page
 * @property {string} [query] what the address has besides, from `&` on
 * @property {Record<string, string | null>} [attributes] of the element; `null` removes one
 */

/** A payer in one tab of one device. What they do and see most often is here, the rest is on the pages. */
export class Payer {
  #invariants;
  #sandbox;
  /** @type {Order | undefined} */
  #order;

  /**
   * @param {Page} page
   * @param {PageInvariants} invariants
   * @param {Sandbox} sandbox
   * @param {Order} [order]
   */
  constructor(page, invariants, sandbox, order) {
    this.page = page;
    this.context = page.context();
    this.shop = new Shop(page);
    this.checkout = new Checkout(page, invariants.heardBy(page));
    this.lender = new Lender(page);
    this.phone = new Phone(page);
    this.agent = new Agent(page);
    this.bank = new Bank(page);
    this.#invariants = invariants;
    this.#sandbox = sandbox;
    this.#order = order;
  }

  /** Places an order at the shop's server, without the shop's page. */
  async orders(items = [{ sku: "mochila-telar", quantity: 1 }]) {
    const order = await placeOrder(this.context, items);
    this.#order = order;
    return order;
  }

  /**
   * Opens the page of an order.
   * @param {Visit} [visit]
   */
  async opens({ order = this.#order, lang, query = "", attributes = {} } = {}) {
    order ??= await this.orders();
    this.#order = order;
    if (lang) this.checkout = this.checkout.in(lang);
    await this.shop.openOrder(order, lang ? `&lang=${lang}${query}` : query);
    if (Object.keys(attributes).length > 0) await this.checkout.set(attributes);
    return order;
  }

  /**
   * Opens the page of an order and begins its payment. The payment waits afterwards: its code is on the screen, or
   * the payer is at the lender or the bank.
   * @param {Visit & { method?: Method }} [start]
   */
  async begins({ method = "QR", ...visit } = {}) {
    const order = await this.opens(visit);
    await this.chooses(method);
    const { page, shop, checkout } = this;
    return { payer: this, order, number: await order.number(), checkout, shop, page };
  }

  /**
   * Presses a method. The payment waits afterwards.
   * @param {Method} method
   */
  async chooses(method) {
    const { checkout, lender, bank } = this;
    const steps = {
      QR: () => checkout.payByQr(),
      CASHCODE: () => checkout.payInCash(),
      INSTALLMENT: () => checkout.payByInstallments().then(() => lender.arrived()),
      BANK_TRANSFER: () => checkout.payByTransfer().then(() => bank.arrived()),
    };
    await steps[method]();
  }

  /** The number of the order's only operation. On a page that has its own order: the one that the element told last. */
  async number() {
    return this.#order?.number() ?? this.checkout.heard("checkout-pending").at(-1)?.detail.merchantOperationNumber;
  }

  /**
   * Pays at the phone, the agent or the lender, which the sandbox stands for.
   * @param {string} [number] of an operation; `number()` if it is left out
   */
  async pays(number) {
    await this.#sandbox.drive(number ?? (await this.number()), "pay");
  }

  /**
   * Waits for a screen.
   * @param {Word} screen
   */
  async sees(screen) {
    await this.checkout.shows(screen);
  }

  /** Waits for the QR code's screen, with its picture. */
  async seesCode() {
    await this.checkout.showsQr();
  }

  /** @param {Word} word of a button */
  async presses(word) {
    await this.checkout.button(word).click();
  }

  async reloads() {
    await this.page.reload();
  }

  /** Comes back to the window. Codes that are paid elsewhere are asked about rarely by the clock, and then at once. */
  async comesBack() {
    await this.page.evaluate(() => dispatchEvent(new Event("focus")));
  }

  /** Another tab of the same device, for the same order. */
  async tab() {
    return new Payer(await this.context.newPage(), this.#invariants, this.#sandbox, this.#order);
  }

  /**
   * The session with the shop, for another device of the same payer: `device(await payer.session())`.
   * @returns {Promise<BrowserContextOptions>}
   */
  async session() {
    return { storageState: { cookies: await this.context.cookies(), origins: [] } };
  }
}

/**
 * The payer turns to another tab or app, or back.
 * @param {Page} page
 * @param {boolean} hidden
 */
export async function look(page, hidden) {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
    const visibilityState = hidden ? "hidden" : "visible";
    Object.defineProperty(document, "visibilityState", { configurable: true, value: visibilityState });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}
