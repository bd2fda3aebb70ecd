// `TestServer`, which answers in the tests of merchants' pages, answers as the real server does.

import { expect, test } from "./support/fixtures.mjs";
import { TestServer } from "../../npm/element/testing/index.mjs";
import { servers } from "../servers.mjs";

/** What the payment service does, and the state of an operation afterwards. */
const STEPS = { pay: "paid", decline: "declined", expire: "expired", reverse: "reversed" };

const KEYS = ["a", "b", "c", "d", "e"].map((letter) => `"parity-${letter}-${"0".repeat(16)}"`);

/**
 * @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: unknown }} Asked
 * @typedef {{ status: number, headers: Record<string, string>, body: string }} Answered
 * @typedef {{
 *   order: Record<string, string>,
 *   ask: (asked: Asked) => Promise<Answered>,
 *   drive: (number: string, step: keyof typeof STEPS) => Promise<void>,
 * }} Side
 */

/** @returns {Promise<Side>} the real server with an order of its own */
async function realSide(context, sandbox) {
  const customer = { first_name: "Rosa", last_name: "Quispe", email: "rosa@ejemplo.pe" };
  const made = await context.request.post("/api/orders", { data: { items: [{ sku: "mochila-telar", quantity: 1 }], customer } });
  const { order_id } = await made.json();
  return {
    order: { order_id },
    ask: async ({ method, path, headers, body }) => {
      const answer = await context.request.fetch(`/api${path}`, { method, headers, data: body });
      return { status: answer.status(), headers: answer.headers(), body: await answer.text() };
    },
    drive: async (number, step) => {
      await sandbox.drive(number, step);
    },
  };
}

/** @returns {Side} */
function testSide() {
  const server = new TestServer({ methods: ["QR", "INSTALLMENT", "CASHCODE"] });
  return {
    order: { order_id: "1" },
    ask: async ({ method, path, headers, body }) => {
      const answer = await server.handle({ method, url: `http://page.invalid/api${path}`, headers, body });
      return /** @type {Answered} */ (answer);
    },
    drive: async (number, step) => server.becomes(/** @type {any} */ (STEPS[step]), { number }),
  };
}

/** What an element reads of an answer. Numbers, times and pictures differ, so only their presence counts. */
function read({ status, headers, body }, numbers) {
  const value = body ? JSON.parse(body) : undefined;
  const transaction = value?.transaction ?? value?.operation?.transactions[0];
  const number = value?.merchant_operation_number ?? value?.operation?.merchant_operation_number;
  if (number && !numbers.includes(number)) numbers.push(number);
  return {
    status,
    type: value?.type,
    money: value?.money,
    members: Object.keys(value ?? {}).filter((name) => name !== "messages").sort(),
    operation: number && numbers.indexOf(number),
    method: value?.method_name ?? transaction?.payment_method.method_name,
    field: value?.field,
    state: transaction?.state,
    lifecycle: transaction?.lifecycle.map(({ state }) => state),
    transaction: Object.keys(transaction ?? {}).sort(),
    processor: Object.keys(transaction?.processor_response ?? {}).sort(),
    hasDeadline: Boolean(transaction?.expiration_date),
    hasAddress: Boolean(transaction?.continue_url),
    hasCode: Boolean(transaction?.processor_response?.qr_image ?? transaction?.processor_response?.cip),
    end: headers["operation-end"],
    order: headers["order-state"],
    hasTag: Boolean(headers.etag),
    waits: Boolean(headers["retry-after"]),
    contentType: headers["content-type"],
    cache: headers["cache-control"],
  };
}

/** Plays a story on one side, and says what an element reads. */
async function play(side, story) {
  /** @type {string[]} */
  const numbers = [];
  /** @type {[string, ReturnType<typeof read>][]} */
  const said = [];
  let code = "";
  const ask = async (/** @type {string} */ what, /** @type {Asked} */ asked) => {
    const answer = await side.ask(asked);
    said.push([what, read(answer, numbers)]);
    return answer;
  };
  const method = (/** @type {string} */ name) => ({
    method_name: name,
    method_details: name === "INSTALLMENT" ? { redirect_url: `${servers.shop}/` } : {},
  });
  const address = (/** @type {number} */ at) => `/charges/${code}/${numbers[at] ?? "000000000000"}`;
  const status = (at, headers = {}) => ({ method: "GET", path: `${address(at)}/-`, headers });
  await story({
    starts: async (name, key, more = {}, replaced) => {
      /** @type {Record<string, string>} */
      const headers = {};
      if (key !== undefined) headers["idempotency-key"] = KEYS[key];
      if (replaced !== undefined) headers["checkout-replaces"] = `"${numbers[replaced]}"`;
      const body = { ...side.order, ...more, payment_method: method(name) };
      const answer = await ask(`starts ${name} by ${key}`, { method: "POST", path: "/charges", headers, body });
      code ||= JSON.parse(answer.body).merchant_code ?? "";
    },
    looks: () => ask("looks", { method: "POST", path: "/charges/live", body: side.order }),
    asks: (at) => ask(`asks for ${at}`, status(at)),
    asksAgain: async (at) => {
      const { headers } = await ask(`asks for ${at}`, status(at));
      await ask(`asks again for ${at}`, status(at, { "if-none-match": headers.etag }));
    },
    cancels: (at) => ask(`cancels ${at}`, { method: "DELETE", path: address(at) }),
    drives: async (at, step) => {
      await side.drive(numbers[at], step);
      // The real server learns it by a notification, or by the next question.
      const state = async () => JSON.parse((await side.ask(status(at))).body).operation.transactions[0].state;
      await expect.poll(state).not.toMatch(step === "reverse" ? /^AUTORIZADO$/ : /^PENDIENTE$/);
    },
  });
  return said;
}

const STORIES = {
  "one order has one live operation": async ({ starts, looks, asksAgain, asks, cancels }) => {
    await looks();
    await starts("QR", 0);
    await starts("QR", 0);
    await starts("QR", 1);
    await starts("INSTALLMENT", 0);
    await starts("INSTALLMENT", 2);
    await looks();
    await asksAgain(0);
    await starts("INSTALLMENT", 2, {}, 0);
    await asks(0);
    await asks(1);
    await looks();
    await cancels(1);
    await asks(1);
    await cancels(1);
    await looks();
    await starts("CASHCODE", 3);
    await asks(2);
  },
  "a page's mistakes": async ({ starts, asks, cancels }) => {
    await starts("QR", undefined);
    await starts("QR", 0, { amount: "1" });
    await starts("QR", 0, { currency: "PEN" });
    await starts("PIX", 0);
    await starts("QR", 0);
    await asks(7);
    await cancels(7);
  },
  "a paid order": async ({ starts, looks, asks, drives, cancels }) => {
    await starts("QR", 0);
    await drives(0, "pay");
    await asks(0);
    await looks();
    await cancels(0);
    await starts("QR", 1);
    await starts("CASHCODE", 2);
    await starts("QR", 0);
  },
  "a payment that was given back": async ({ starts, looks, asks, drives }) => {
    await starts("QR", 0);
    await drives(0, "pay");
    await drives(0, "reverse");
    await asks(0);
    await looks();
    await starts("QR", 1);
    await asks(1);
  },
  "a declined attempt and another": async ({ starts, looks, asks, drives, cancels }) => {
    await starts("QR", 0);
    await drives(0, "decline");
    await asks(0);
    await looks();
    await cancels(0);
    await starts("QR", 1);
    await drives(1, "expire");
    await asks(1);
    await starts("INSTALLMENT", 2);
    await drives(2, "pay");
    await asks(2);
    await asks(0);
  },
};

for (const [name, story] of Object.entries(STORIES)) {
  test(`${name}: the server for tests answers as the real one`, async ({ context, sandbox }) => {
    const real = await play(await realSide(context, sandbox), story);
    expect(await play(testSide(), story)).toEqual(real);
  });
}
