// The conformance run is green for our own server and for the whole servers of `examples/servers`.
//
// `cargo xtask test --only conformance` starts this, with the languages that the machine has.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LANGUAGES, Server, play, startSandbox } from "./support/servers.mjs";

let sandbox;
before(async () => {
  sandbox = await startSandbox("conformance");
});
after(() => sandbox.program.stop());

/** Plays all checks, and returns what was found. */
async function playAll(server) {
  await server.start();
  try {
    return await play(server, sandbox.address);
  } finally {
    await server.stop();
  }
}

test("our own server meets every check; whoever holds a signed order may pay it", async () => {
  const { code, printed, refused, failed, skipped } = await playAll(await Server.own(sandbox.address));
  assert.deepEqual([failed, skipped, refused], [[], ["another-payers-order"], ""], printed);
  assert.equal(code, 0);
});

for (const language of LANGUAGES) {
  test(`the whole server in ${language} meets what must hold`, async () => {
    const { code, printed, refused, results } = await playAll(await Server.example(sandbox.address, language));
    const broken = results.filter(({ level, outcome }) => level === "must" && outcome === "failed");
    assert.deepEqual([broken.map(({ name }) => name), refused], [[], ""], printed);
    assert.equal(code, 0);
    assert.ok(results.length > 0);
  });

  test(`a copy of the server in ${language} has its page, and the element of the package in its folder`, async () => {
    const server = await Server.copied(sandbox.address, language);
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
