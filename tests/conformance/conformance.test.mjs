// The conformance run is green for our own server and for the whole servers of `examples/servers`.
//
// `cargo xtask test --only conformance` starts this, with the languages that the machine has.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LANGUAGES, Server, play, startSandbox } from "./support/servers.mjs";

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
      assert.ok(results.length > 0);
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
