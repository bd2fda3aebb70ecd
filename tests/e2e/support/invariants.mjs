import { expect } from "@playwright/test";

/** @import { BrowserContext, Page } from "@playwright/test" */
/** @typedef {{ type: string, detail: any, order?: string, document: number }} HeardEvent an event of a page */

const EVENTS = [
  "checkout-ready",
  "checkout-pending",
  "checkout-redirect",
  "checkout-status",
  "checkout-result",
  "checkout-error",
  "checkout-state",
  "checkout-action",
];

/** The element explains to its developer an answer that failed, which is the test's own doing. */
const EXPLAINED = /docs\/diagnostics\.md#(server-error|not-found|no-session|unreachable|no-answer|refused|blocked|html|no-wasm|other-version|policy|no-webassembly)\)/;

/** Watches pages for what no page may do, and listens to the element's events. */
export class PageInvariants {
  #shop;
  #sandbox;
  /** @type {string[]} */
  #complaints = [];
  /** @type {RegExp[]} */
  #expected = [];
  /** @type {RegExp[]} */
  #allowed = [EXPLAINED];
  /** @type {WeakMap<Page, HeardEvent[]>} */
  #heard = new WeakMap();

  /**
   * @param {string} shop
   * @param {string} sandbox
   */
  constructor(shop, sandbox) {
    this.#shop = new URL(shop).origin;
    this.#sandbox = new URL(sandbox).origin;
  }

  /** @param {BrowserContext} context */
  async watch(context) {
    await context.exposeBinding("tellTest", ({ page }, event) => {
      if (event.violation !== undefined) {
        this.#complaints.push(event.violation);
      } else {
        this.heardBy(page).push(event);
      }
    });
    await context.addInitScript((names) => {
      // The binding itself goes when the page does.
      const tell = globalThis.tellTest;
      document.addEventListener("securitypolicyviolation", (event) => {
        tell({ violation: `${event.violatedDirective} ${event.blockedURI} ${event.sample}` });
      });
      addEventListener("pageshow", ({ persisted }) => {
        tell({ type: "pageshow", detail: { persisted }, document: performance.timeOrigin });
      });
      for (const name of names) {
        document.addEventListener(name, (event) => {
          const { type, detail, target } = /** @type {CustomEvent} */ (event);
          const order = /** @type {any} */ (target).request?.order_id;
          tell({ type, detail, order, document: performance.timeOrigin });
        });
      }
    }, EVENTS);
    context.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) {
        this.#complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
      }
    });
    context.on("weberror", (error) => this.#complaints.push(`thrown: ${error.error().stack}`));
    context.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol === "data:" || origin === this.#shop) {
        return;
      }
      // The shop's page asks the shop only; the payer walks to the sandbox's pages, which ask it.
      const asker = request.isNavigationRequest() ? origin : new URL(request.frame().url()).origin;
      if (origin !== this.#sandbox || asker !== this.#sandbox) {
        this.#complaints.push(`a request to ${request.url()}`);
      }
    });
  }

  /**
   * The events that a page's elements fired, across all that it loaded.
   * @param {Page} page
   */
  heardBy(page) {
    const heard = this.#heard.get(page) ?? [];
    this.#heard.set(page, heard);
    return heard;
  }

  /**
   * A complaint that belongs to what the test does; it must come.
   * @param {RegExp} pattern
   */
  expects(pattern) {
    this.#expected.push(pattern);
  }

  /**
   * A complaint that may come with what the test does, or not.
   * @param {RegExp} pattern
   */
  allows(pattern) {
    this.#allowed.push(pattern);
  }

  finish() {
    const unexpected = this.#complaints.filter(
      (complaint) =>
        ![...this.#expected, ...this.#allowed].some((pattern) => pattern.test(complaint)),
    );
    expect(unexpected, "what no page may do").toEqual([]);
    for (const pattern of this.#expected) {
      expect(this.#complaints, "what the test expects the browser to say").toContainEqual(
        expect.stringMatching(pattern),
      );
    }
  }
}
