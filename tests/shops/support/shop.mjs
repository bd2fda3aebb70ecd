// One of the shops in `examples/shops`, run from a copy of its folder, and the requests of its visitors.

import { execFile } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Program, freePort } from "./program.mjs";

const run = promisify(execFile);
const EXAMPLES = fileURLToPath(new URL("../../../examples/shops", import.meta.url));
const RESULTS = process.env.RESULTS ?? "";

/** Those that the machine has. */
export const LANGUAGES = (process.env.LANGUAGES ?? "node").split(",");
/** The price in the table of each, in cents. */
export const PRICE = "12990";

/** How each is started, its program for the shop's own systems, and the folder that the guide copies the element into. */
const STARTS = {
  // Some servers show errors to everybody, and PHP then answers 200 to a program that broke off.
  php: {
    command: (port) => ["php", "-d", "display_errors=1", "-S", `127.0.0.1:${port}`, "-t", "public"],
    ask: ["php", "server.php"],
    element: "public/element",
  },
  node: { command: () => ["node", "shop.mjs"], ask: ["node", "server.mjs"], element: "element" },
  python: {
    command: () => ["python3", "-B", "shop.py"],
    ask: ["python3", "-B", "server.py"],
    element: "element",
  },
};

/** Any 32 bytes, as the convention writes them. */
const secretOfEvents = () => `whsec_${randomBytes(32).toString("base64")}`;

export class Shop {
  #program;
  ordersSecret = randomBytes(32).toString("hex");

  constructor(language, port, eventsSecret) {
    this.language = language;
    this.port = port;
    this.address = `http://127.0.0.1:${port}`;
    this.eventsSecret = eventsSecret;
    this.folder = join(RESULTS, `${language}-${port}`);
  }

  static async prepare(language, eventsSecret = secretOfEvents()) {
    const shop = new Shop(language, await freePort(), eventsSecret);
    await rm(shop.folder, { recursive: true, force: true });
    await cp(join(EXAMPLES, language), shop.folder, {
      recursive: true,
      filter: (path) => !/\/(orders|element|__pycache__)$/.test(path),
    });
    const { element } = shop;
    await mkdir(element);
    for (const name of ["payment-checkout.js", "style.css", "payment-checkout-0123456789.wasm", "preload.html"]) {
      await writeFile(join(element, name), name);
    }
    return shop;
  }

  /** The folder of the element. */
  get element() {
    return join(this.folder, STARTS[this.language].element);
  }

  /** Starts it, without waiting. */
  start(server) {
    this.#program = new Program(
      `${this.folder}.log`,
      STARTS[this.language].command(this.port),
      {
        PORT: String(this.port),
        PAYMENT_SERVER: server,
        ORDERS_SECRET: this.ordersSecret,
        EVENTS_SECRET: this.eventsSecret,
      },
      this.folder,
    );
    return this.#program;
  }

  stop() {
    return this.#program?.stop();
  }

  /** What the shop's own program prints, which asks the server. */
  async ask(server, apiKey, ...words) {
    const [program, ...start] = STARTS[this.language].ask;
    const { stdout } = await run(program, [...start, ...words], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, PAYMENT_SERVER: server, SHOP_API_KEY: apiKey },
    });
    return JSON.parse(stdout);
  }

  /** The page of a new order. */
  async buy() {
    const page = await fetch(this.address);
    return new URL(page.url);
  }

  /** Reads a page, as a browser does. */
  async read(url) {
    const answer = await fetch(url);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  async isPaid(url) {
    const { text } = await this.read(url);
    const [paid, open] = [text.includes("Your order is paid."), text.includes("<payment-checkout")];
    if (paid === open) throw new Error(`the page says neither: ${text}`);
    return paid;
  }

  /** Asks for this very path, which no URL is made of. */
  raw(path, method = "GET") {
    return new Promise((resolve, reject) => {
      request({ host: "127.0.0.1", port: this.port, path, method }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode));
      })
        .on("error", reject)
        .end();
    });
  }

  /** Delivers an event as the payment server does, but for what the test changes. */
  async deliver(event, changed = {}) {
    const body = changed.body ?? JSON.stringify(event);
    const { id } = event.data;
    const time = String(Math.floor(Date.now() / 1000) + (changed.seconds ?? 0));
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": time,
      "webhook-signature": this.#signature(`${id}.${time}.${JSON.stringify(event)}`),
    };
    Object.assign(headers, changed.headers?.(headers));
    const answer = await fetch(`${this.address}/events`, { method: "POST", headers, body });
    await answer.arrayBuffer();
    return answer.status;
  }

  #signature(text) {
    const key = this.eventsSecret.startsWith("whsec_")
      ? Buffer.from(this.eventsSecret.slice("whsec_".length), "base64")
      : this.eventsSecret;
    return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
  }
}

/** What a page gives to the checkout. */
export function given(page) {
  const [, token] = / order="([^"]+)"/.exec(page) ?? [];
  if (!token) throw new Error(`the page has no order: ${page}`);
  const { amount, currency } = claims(token);
  return { token, amount: String(amount), currency };
}

/** The claims of a signed order. */
export function claims(token) {
  return JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
}
