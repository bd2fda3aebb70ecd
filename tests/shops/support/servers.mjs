// The payment service and the merchant's server, as a merchant without a program of Rust runs them.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { Program, freePort } from "./program.mjs";

const run = promisify(execFile);
const PROGRAMS = process.env.PROGRAMS ?? "";
const RESULTS = process.env.RESULTS ?? "";
const TOKEN = "token-of-the-sandbox-in-the-tests-of-shops";
/** @type {Program[]} */
const running = [];

/** Starts one of the workspace's programs. */
async function start(name, log, address, env) {
  const program = new Program(join(RESULTS, `${log}.log`), [join(PROGRAMS, name)], env);
  running.push(program);
  await program.answers(`${address}/healthz`);
}

/** The payment service, simulated; its address. */
export async function startSandbox() {
  const port = await freePort();
  const sandbox = `http://127.0.0.1:${port}`;
  const env = { SANDBOX_LISTEN: `127.0.0.1:${port}`, SANDBOX_TOKEN: TOKEN };
  await start("payment-sandbox", "sandbox", sandbox, env);
  return sandbox;
}

/** What every server of a merchant is set to. */
const SETTINGS = {
  PAYMENT_TOKEN: TOKEN,
  MERCHANT_CODE: "shop-merchant",
  MERCHANT_NAME: "Retama y Cumbre",
  COOKIE_KEY: "key-of-the-cookies-in-the-tests-of-shops",
};

/** The server of a shop: its PUBLIC_URL, and an API key that was made beside it. */
export async function startBackend(sandbox, language, { address, ordersSecret, eventsSecret }) {
  const port = await freePort();
  const backend = `http://127.0.0.1:${port}`;
  const settings = {
    ...SETTINGS,
    BACKEND_LISTEN: `127.0.0.1:${port}`,
    PUBLIC_URL: `${backend}/api`,
    DATABASE: join(RESULTS, `${language}.sqlite`),
    PAYMENT_URL: sandbox,
    REDIRECT_ALLOW: address,
    CORS_ORIGINS: address,
    EVENTS_URL: `${address}/events`,
    EVENTS_SECRET: eventsSecret,
    ORDERS_SECRET: ordersSecret,
  };
  await start("merchant-backend", `backend-${language}`, backend, settings);
  const { stdout } = await run(
    join(PROGRAMS, "merchant-backend"),
    ["key", "new", "--name", "shop", "--may", "order,read,cancel,refund"],
    { env: { PATH: process.env.PATH, ...settings } },
  );
  return { server: `${backend}/api`, apiKey: stdout.trim() };
}

/** Has the server's program send a sample to a receiver that is being written. */
export async function sendSample(to, kind, eventsSecret) {
  const settings = {
    ...SETTINGS,
    PUBLIC_URL: "http://127.0.0.1:9/api",
    DATABASE: join(RESULTS, "none.sqlite"),
    PAYMENT_URL: "http://127.0.0.1:9",
    EVENTS_SECRET: eventsSecret,
  };
  await run(
    join(PROGRAMS, "merchant-backend"),
    ["event", "send", "--to", to, "--type", kind],
    { env: { PATH: process.env.PATH, ...settings } },
  );
}

export async function stopServers() {
  await Promise.all(running.map((program) => program.stop()));
}
