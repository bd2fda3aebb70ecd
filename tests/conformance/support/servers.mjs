// What the tests of the conformance run start: the sandbox, and servers of merchants in front of it.

import { exec, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Program, freePort } from "../../shops/support/program.mjs";

const ROOT = resolve(import.meta.dirname, "../../..");
const PROGRAMS = process.env.PROGRAMS ?? "";
const RESULTS = process.env.RESULTS ?? "";
const TOKEN = "token-of-the-sandbox-in-the-tests-of-conformance";
const SECRET = "secret-of-the-orders-in-the-tests-of-conformance";
/** What a payer's wallet takes at most; the orders of `orderBeyond` are beyond it. */
const METHOD_LIMITS = '{"QR": {"PEN": {"most": "50000"}}}';
const EXAMPLES = join(ROOT, "examples/servers");
export const COMMAND = join(ROOT, "npm/element/commands/main.mjs");
/** The languages that the machine has. */
export const LANGUAGES = (process.env.LANGUAGES ?? "node,python,php").split(",");

/** The payment service, simulated; each file of tests has one. */
export async function startSandbox(name) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const env = { SANDBOX_LISTEN: `127.0.0.1:${port}`, SANDBOX_TOKEN: TOKEN };
  const program = new Program(join(RESULTS, `sandbox-${name}.log`), [join(PROGRAMS, "payment-sandbox")], env);
  await program.answers(`${address}/healthz`);
  return { address, program };
}

/** The programs of each server of `examples/servers`; the first one is the server. */
const PROGRAMS_OF = {
  node: (file) => [["node", file]],
  python: (file) => [["python3", "-B", file]],
  php: (file, port) => [
    ["php", "-S", `127.0.0.1:${port}`, file],
    ["php", file, "watch"],
  ],
};
const FILES = { node: "server.mjs", python: "server.py", php: "server.php" };

/** A server of a merchant, which can be restarted, with all that a run needs to know of it. */
export class Server {
  /** @type {Program[]} */
  #running = [];

  /**
   * `order` is the command that makes one, `orderBeyond` makes one beyond the limit of QR, and `page` is one of the shop's, to
   * which payers may come back.
   */
  constructor(name, { programs, env, base, order, orderBeyond, page, folder = "." }) {
    this.name = name;
    this.folder = folder;
    this.programs = programs;
    this.env = env;
    this.base = base;
    this.order = order;
    this.orderBeyond = orderBeyond;
    this.page = page;
  }

  /** Our own server, for orders that a shop has signed. */
  static async own(sandbox) {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const database = join(RESULTS, "own.sqlite");
    for (const suffix of ["", "-wal", "-shm"]) await rm(database + suffix, { force: true });
    return new Server("own", {
      base: `${origin}/api`,
      page: "http://127.0.0.1:9/",
      programs: [[join(PROGRAMS, "merchant-backend")]],
      order: `node ${join(import.meta.dirname, "order.mjs")}`,
      orderBeyond: `node ${join(import.meta.dirname, "order.mjs")} 64950`,
      env: {
        BACKEND_LISTEN: `127.0.0.1:${port}`,
        PUBLIC_URL: `${origin}/api`,
        DATABASE: database,
        PAYMENT_URL: sandbox,
        PAYMENT_TOKEN: TOKEN,
        MERCHANT_CODE: "demo-merchant",
        MERCHANT_NAME: "Retama y Cumbre",
        COOKIE_KEY: SECRET,
        ORDERS_SECRET: SECRET,
        REDIRECT_ALLOW: "http://127.0.0.1:9",
        METHOD_LIMITS,
        // All payers of a run are at one address.
        CLIENT_ORDERS_PER_MINUTE: "100000",
      },
    });
  }

  /** A server of `examples/servers`, or a changed copy of it, which starts in `start`. */
  static async example(sandbox, language, file = join(EXAMPLES, language, FILES[language]), name = language, start = ".") {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const folder = join(RESULTS, name);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const programs = PROGRAMS_OF[language](file, port);
    return new Server(name, {
      base: `${origin}/api`,
      page: `${origin}/`,
      folder: start,
      programs,
      order: `${programs[0][0]} ${file} new-order`,
      orderBeyond: `${programs[0][0]} ${file} new-order 5`,
      env: {
        PORT: String(port),
        PAYMENT_URL: sandbox,
        PAYMENT_TOKEN: TOKEN,
        DATA: join(folder, "orders"),
        METHOD_LIMITS,
        // PHP's own server answers one request at a time without it.
        PHP_CLI_SERVER_WORKERS: "8",
      },
    });
  }

  /** A server of `examples/servers` in the folder of a merchant who installed the package and copied its examples. */
  static async copied(sandbox, language) {
    const folder = join(RESULTS, `copied-${language}`);
    await rm(folder, { recursive: true, force: true });
    await cp(EXAMPLES, join(folder, "servers"), { recursive: true });
    const element = join(folder, "node_modules/payment-checkout-element/element");
    await mkdir(element, { recursive: true });
    await writeFile(join(element, "payment-checkout.js"), "the element");
    const file = join(folder, "servers", language, FILES[language]);
    return Server.example(sandbox, language, file, `copied-${language}-data`, folder);
  }

  /** An order as the server's own program prints it. */
  async printedOrder() {
    const { stdout } = await promisify(exec)(this.order, { env: { PATH: process.env.PATH, ...this.env } });
    return stdout;
  }

  /**
   * Makes orders at the started server, each in a file, of which `order` takes the next one: a program that was started
   * for each order took half of the processor time of a run.
   * @param {string[]} first orders that are taken before those
   */
  async makeOrders(count, first = []) {
    const folder = resolve(RESULTS, `${this.name}-orders`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    for (let at = 0; at < count; at += 1) {
      const order = first[at] ?? (await freshOrder(this));
      await writeFile(join(folder, String(1000 + at)), order);
    }
    this.order = `cd "${folder}" && set -- * && cat "$1" && rm "$1"`;
  }

  async start() {
    this.#running = this.programs.map((command, at) => {
      const log = join(RESULTS, `${this.name}-${at}.log`);
      return new Program(log, command, this.env, this.folder, command[0] === "php");
    });
    await this.#running[0].answers(this.base);
  }

  async stop() {
    await Promise.all(this.#running.map((program) => program.stop()));
  }
}

/** An order of a server of `examples/servers`, as its program prints it. @param {{ base: string }} server */
export async function freshOrder({ base }) {
  const made = await fetch(`${base}/orders`, { method: "POST" });
  const { order_id, amount, currency } = await made.json();
  const [cookie] = made.headers.get("Set-Cookie")?.split(";") ?? [];
  return JSON.stringify({ request: { order_id }, amount, currency, cookie });
}

/** The text of the server in Node.js, to break it. */
export const textOfNodeServer = () => readFile(join(EXAMPLES, "node", FILES.node), "utf8");

/**
 * Plays payers against a server, and returns the exit code, what was printed, and the outcomes by their checks.
 * @param {string} sandbox
 * @param {string[]} words further options
 */
export async function play(server, sandbox, words = []) {
  const json = join(RESULTS, `${server.name}.json`);
  await rm(json, { force: true });
  // The run asks its test to restart the server.
  const restarter = createServer(async (_, response) => {
    await server.stop();
    await server.start();
    response.end();
  }).listen(0, "127.0.0.1");
  await once(restarter, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (restarter.address());
  try {
    const { code, printed, refused } = await conformance(
      [
        ...[server.base, "--sandbox", sandbox, "--order", server.order, "--order-beyond", server.orderBeyond],
        ...["--redirect-url", server.page],
        ...["--restart", `node -e "fetch('http://127.0.0.1:${port}')"`, "--json", json, ...words],
      ],
      { ...server.env, SANDBOX_TOKEN: TOKEN },
    );
    const { results } = JSON.parse(await readFile(json, "utf8").catch(() => '{"results": []}'));
    const named = (outcome) => results.filter((each) => each.outcome === outcome).map(({ name }) => name);
    return { code, printed, refused, results, failed: named("failed"), skipped: named("skipped") };
  } finally {
    restarter.close();
  }
}

/** Runs the command to its end. */
export function conformance(words, env = {}) {
  return new Promise((done) => {
    const options = { env: { PATH: process.env.PATH, ...env } };
    execFile("node", [COMMAND, "conformance", ...words], options, (error, printed, refused) => {
      done({ code: error ? error.code : 0, printed, refused });
    });
  });
}

/** Starts the command, to interrupt it. */
export const startConformance = (words, env) =>
  spawn("node", [COMMAND, "conformance", ...words], { env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", "pipe", "pipe"] });
