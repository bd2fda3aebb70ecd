// A shop whose pages tell what happens in them, before the real servers: it passes on every request but those of its own
// pages, and keeps the payer's session.

import { createServer, request as ask } from "node:http";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { servers } from "../../servers.mjs";
import { placeOrder } from "../../e2e/support/order.mjs";
import { fromHere } from "../support/requests.mjs";
import { until } from "../support/until.mjs";

/**
 * What a page told. `early` is true for what happened before the page was shown.
 *
 * @typedef {object} Told
 * @property {string} page its path
 * @property {string} load the same for all that one load of the page tells
 * @property {number} count orders what it tells
 * @property {string} what
 * @property {boolean} early
 * @property {boolean} hidden
 * @property {string} [screen] the headings
 * @property {string} [heard] what a screen reader says by itself
 * @property {boolean} [focus] whether the focus is in the element
 * @property {any} [outcome]
 * @property {any} [number] of an operation
 * @property {any} [value]
 */

/**
 * A request to the merchant's server.
 *
 * @typedef {{ page: string, early: boolean, line: string, headers: import("node:http").IncomingHttpHeaders, body: string }} Asked
 */

/** What the functions that run in a page have from `page.mjs`. @typedef {Record<"tell" | "hears" | "measured" | "loads" | "chooses", Function>} Page */

const SCRIPT = await readFile(new URL("page.mjs", import.meta.url));

/** The tag for an order. @param {{ id: string }} order */
export const checkout = (order, attributes = "") =>
  `<payment-checkout base-url="/api" live-url="/api/charges/live" merchant-name="Tienda" ${attributes}></payment-checkout>
<script>document.querySelector("payment-checkout").request = ${JSON.stringify({ order_id: order.id })};</script>`;

export class Shop {
  #server = createServer((request, response) => this.#answer(request, response));
  #pages = new Map();
  #words = new Map();
  #session = "";
  /** @type {RegExp | undefined} */
  #broken;
  /** The methods of requests that got no answer. @type {string[]} */
  #unanswered = [];
  /** @type {Told[]} */
  told = [];
  /** @type {Asked[]} */
  asked = [];

  static async open() {
    const shop = new Shop();
    await new Promise((resolve) => shop.#server.listen(0, "127.0.0.1", () => resolve(undefined)));
    return shop;
  }

  get origin() {
    const { port } = /** @type {import("node:net").AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${port}`;
  }

  /** An order of this payer. */
  order() {
    return placeOrder(/** @type {any} */ ({ request: fromHere(this.origin) }));
  }

  /** The payer is in a browser without a session of the order from now on. */
  forgetSession() {
    this.#session = "";
  }

  /** Answers no request for such a path from now on. @param {RegExp} [path] */
  breaks(path) {
    this.#broken = path;
  }

  /** Waits until a request got no answer. @param {string} method */
  async broke(method) {
    await until(`${method} without an answer`, () => this.#unanswered.includes(method));
  }

  /**
   * Adds a page.
   * @param {string} path
   * @param {object} content
   * @param {string} [content.body]
   * @param {string[]} [content.loads] addresses that the browser loads in advance
   * @param {(page: Page) => unknown} [content.run] runs in the page, and sees nothing else
   */
  page(path, { body = "", loads = [], run = () => {} }) {
    const rules = JSON.stringify({ prerender: [{ urls: loads, eagerness: "immediate" }] });
    this.#pages.set(
      path,
      `<!doctype html><html lang="es-PE"><meta charset="utf-8"><title>${path}</title><link rel="icon" href="data:,">
${loads.length > 0 ? `<script type="speculationrules">${rules}</script>` : ""}
<script type="module" src="/page.mjs"></script>
<script type="module" src="/element/payment-checkout.js"></script>
<script type="module" src="/operations/payment-operations.js"></script>
<h1>${path}</h1>
${body}
<script type="module">(${run})(page);</script>`,
    );
  }

  /** Lets whoever waits for this word go on, now or later. @param {string} word */
  says(word) {
    for (const go of this.#word(word).waiting.splice(0)) go();
    this.#word(word).said = true;
  }

  /**
   * Waits until a page tells something.
   * @param {string} page
   * @param {string} what
   * @param {Record<string, unknown>} [like] what it tells besides
   * @returns {Promise<Told>}
   */
  hears(page, what, like = {}) {
    const wanted = (/** @type {Told} */ told) =>
      told.page === page && told.what === what && Object.entries(like).every(([name, value]) => fits(told[name], value));
    return until(`${what} ${JSON.stringify(like)} of ${page}`, () => this.told.find(wanted)).catch((error) => {
      const all = this.told.map(({ load, count, ...told }) => JSON.stringify(told));
      throw new Error([error.message, ...all, ...this.asked.map(({ page, early, line }) => `${page} ${early ? "early " : ""}${line}`)].join("\n"));
    });
  }

  /** What a page told, in the order in which it happened. @param {string} page */
  of(page) {
    return this.told.filter((told) => told.page === page).toSorted((one, other) => one.count - other.count);
  }

  /** What a page asked the merchant's server. @param {string} page */
  questions(page) {
    return this.asked.filter((asked) => asked.page === page);
  }

  async close() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #word(word) {
    if (!this.#words.has(word)) this.#words.set(word, { said: false, waiting: [] });
    return this.#words.get(word);
  }

  async #answer(request, response) {
    const { pathname } = new URL(request.url, this.origin);
    const word = pathname.match(/^\/words\/(.+)/)?.[1];
    if (this.#broken?.test(pathname)) {
      this.#unanswered.push(request.method);
      response.destroy();
    } else if (pathname === "/told") {
      this.told.push(JSON.parse(await text(request)));
      response.end();
    } else if (word) {
      const { said, waiting } = this.#word(word);
      if (said) response.end();
      else waiting.push(() => response.end());
    } else if (pathname === "/page.mjs") {
      response.setHeader("Content-Type", "text/javascript").end(SCRIPT);
    } else if (this.#pages.has(pathname)) {
      response.setHeader("Content-Type", "text/html").end(this.#pages.get(pathname));
    } else {
      await this.#passOn(request, response);
    }
  }

  async #passOn(request, response) {
    const { method, url, headers } = request;
    const body = await text(request);
    const page = URL.canParse(headers.referer) ? new URL(headers.referer).pathname : "";
    // A browser says itself that a request comes of a page that nobody sees yet.
    const early = /prerender/.test(headers["sec-purpose"]);
    if (url.startsWith("/api/")) this.asked.push({ page, early, line: `${method} ${url}`, headers, body });
    const { host: _, ...own } = headers;
    const cookie = this.#session ? { cookie: this.#session } : {};
    const passed = ask(new URL(url, servers.shop), { method, headers: { ...own, ...cookie } }, (answer) => {
      const { "set-cookie": set, ...rest } = answer.headers;
      if (set) this.#session = set.map((one) => one.split(";")[0]).join("; ");
      response.writeHead(answer.statusCode, rest);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    passed.end(body);
  }
}

/** @param {unknown} value @param {unknown} wanted a text may be wanted by an expression */
const fits = (value, wanted) => (wanted instanceof RegExp ? wanted.test(String(value)) : value === wanted);
