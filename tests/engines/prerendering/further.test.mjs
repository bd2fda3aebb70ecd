// What else docs/element.md says of pages that are loaded in advance.

import assert from "node:assert/strict";
import { TEXTS } from "../../e2e/support/texts.mjs";
import { checkout } from "./shop.mjs";
import { leads, nothingEarly, story, waits } from "./story.mjs";

story("a page that starts a payment itself while it is loaded in advance starts it once it is shown", async ({ shop, sandbox, opens }) => {
  const order = await shop.order();
  shop.page("/before", { loads: ["/pay"], run: leads });
  shop.page("/pay", { body: checkout(order), run: ({ loads }) => {
    document.querySelector("payment-checkout").start("QR");
    return loads();
  } });
  await opens("/before");
  await shop.hears("/pay", "waits");
  assert.deepEqual(await order.operations(), []);
  shop.says("go");
  await shop.hears("/pay", "checkout-pending");
  nothingEarly(shop);
  assert.equal((await sandbox.authorizations(order)).length, 1);
});

story("the desk of the staff asks who is signed in once it is shown", async ({ shop, opens }) => {
  shop.page("/before", { loads: ["/pay"], run: leads });
  shop.page("/pay", { body: '<payment-operations base-url="/api/staff"></payment-operations>', run: async ({ tell }) => {
    const compiled = () => performance.getEntriesByName("payment-operations:wasm").length > 0;
    while (!compiled()) await tell("compiling");
    for (const what of ["compiled", "still", "waits"]) await tell(what);
  } });
  await opens("/before");
  await shop.hears("/pay", "waits");
  assert.deepEqual(shop.questions("/pay"), []);
  shop.says("go");
  await shop.hears("/pay", "look", { screen: /./, early: false });
  assert.ok(shop.questions("/pay").every(({ early, line }) => !early && line.includes("/api/staff/")));
});

story("what could not be loaded in advance is loaded once the page is shown, and no failure is told", async ({ shop, opens }) => {
  const order = await shop.order();
  shop.page("/before", { loads: ["/pay"], run: leads });
  shop.page("/pay", { body: checkout(order), run: waits });
  shop.breaks(/^\/element\/.*\.wasm$/);
  await opens("/before");
  await shop.broke("HEAD");
  shop.breaks();
  shop.says("go");
  await shop.hears("/pay", "checkout-ready", { early: false });
  assert.equal(shop.of("/pay").findLast(({ what }) => what === "look").screen, TEXTS.es.choosing);
  nothingEarly(shop);
  assert.deepEqual(shop.of("/pay").filter(({ what }) => what === "checkout-error"), []);
});
