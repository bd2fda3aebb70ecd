// The conformance run is green for our own server and for the whole servers of `examples/servers`.
//
// `cargo xtask test --only conformance` starts this, with the languages that the machine has.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { LANGUAGES, Server, freshOrder, play, startSandbox } from "./support/servers.mjs";

/** What all checks take at most. */
const ORDERS = 150;

/** Starts a server before a sandbox of its own, plays all checks, and returns what was found. */
async function playAll(name, serverBefore, prepare = async (_server) => {}) {
  const sandbox = await startSandbox(`conformance-${name}`);
  try {
    const server = await serverBefore(sandbox.address);
    await server.start();
    try {
      await prepare(server);
      return await play(server, sandbox.address);
    } finally {
      await server.stop();
    }
  } finally {
    await sandbox.program.stop();
  }
}

// A run mostly waits, so all servers are played at once.
describe("the conformance run is green", { concurrency: true }, () => {
  test("our own server meets every check; whoever holds a signed order may pay it", async () => {
    const { code, printed, refused, failed, skipped } = await playAll("own", (sandbox) => Server.own(sandbox));
    assert.deepEqual([failed, skipped, refused], [[], ["another-payers-order"], ""], printed);
    assert.equal(code, 0);
  });

  for (const language of LANGUAGES) {
    test(`the whole server in ${language} meets what must hold`, async () => {
      const { code, printed, refused, results } = await playAll(
        language,
        (sandbox) => Server.example(sandbox, language),
        // The first order is one that its program printed.
        async (server) => server.makeOrders(ORDERS, [await server.printedOrder()]),
      );
      const broken = results.filter(({ level, outcome }) => level === "must" && outcome === "failed");
      assert.deepEqual([broken.map(({ name }) => name), refused], [[], ""], printed);
      assert.equal(code, 0);
      const limits = results.filter(({ name }) => name.startsWith("beyond"));
      assert.deepEqual(limits.map(({ outcome }) => outcome), ["passed", "passed", "passed"], printed);
    });

    test(`at the server in ${language} a code outlives the offer of its method`, async () => {
      const sandbox = await startSandbox(`limits-${language}`);
      try {
        const server = await Server.example(sandbox.address, language, undefined, `limits-${language}`);
        const withLimits = async (/** @type {string} */ limits, /** @type {() => Promise<void>} */ work) => {
          server.env.METHOD_LIMITS = limits;
          await server.start();
          try {
            await work();
          } finally {
            await server.stop();
          }
        };
        let payer;
        let number;
        await withLimits("", async () => {
          payer = payerOf(server, await freshOrder(server));
          assert.equal((await payer("/charges/live")).status, 204);
          ({ number } = await payer("/charges", "QR"));
          assert.ok(number);
        });
        const other = { redirect_url: server.page };
        await withLimits('{"QR": {"604": {"least": "12991"}}, "INSTALLMENT": {"USD": {}}}', async () => {
          assert.equal((await payer("/charges", "QR")).number, number);
          assert.equal((await payer("/charges/live")).number, number);
          const refused = await payer("/charges", "INSTALLMENT", other, { "Checkout-Replaces": `"${number}"` });
          assert.deepEqual([refused.status, refused.body.reason, refused.body.methods], [422, "currency", []]);
          assert.equal((await payer("/charges/live")).number, number, "the code has not ended");
          await payer(`/charges/demo-merchant/${number}`);
          const below = { method: "QR", reason: "below-least", least: "12991", most: null };
          const currency = { method: "INSTALLMENT", reason: "currency", least: null, most: null };
          const told = await payer("/charges/live");
          assert.deepEqual([told.status, told.body], [200, { currency: "PEN", methods: [], not_offered: [below, currency] }]);
        });
        await withLimits('{"QR": {"PEN": {"least": 12990, "most": 12990}}}', async () => {
          assert.equal((await payer("/charges/live")).status, 204);
          assert.equal((await payer("/charges", "QR")).status, 200);
        });
      } finally {
        await sandbox.program.stop();
      }
    });

    test(`a copy of the server in ${language} has its page, and the element of the package in its folder`, async () => {
      // It asks the payment service for nothing.
      const server = await Server.copied("http://127.0.0.1:9", language);
      await server.start();
      try {
        const read = async (path) => (await fetch(`${server.page}${path}`)).text();
        assert.match(await read(""), /<payment-checkout /);
        assert.equal(await read("element/payment-checkout.js"), "the element");
      } finally {
        await server.stop();
      }
    });
  }
});

/**
 * The requests of an order's payer: a start where a method is named, and otherwise a question, or a cancellation of a number.
 * @param {{ base: string }} server @param {string} order
 */
function payerOf(server, order) {
  const { request, cookie } = JSON.parse(order);
  return async (path, method = "", details = {}, more = {}) => {
    const isCancellation = path.startsWith("/charges/demo-merchant");
    const body = { ...request, ...(method && { payment_method: { method_name: method, method_details: details } }) };
    const answer = await fetch(server.base + path, {
      method: isCancellation ? "DELETE" : "POST",
      headers: { Cookie: cookie, "Content-Type": "application/json", "Idempotency-Key": `"${randomUUID()}"`, ...more },
      ...(!isCancellation && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const told = text ? JSON.parse(text) : {};
    return { status: answer.status, body: told, number: told.merchant_operation_number };
  };
}
