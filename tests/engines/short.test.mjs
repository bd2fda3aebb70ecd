// One story for each engine, in every run of the tests.

import assert from "node:assert/strict";
import { UNABLE, story } from "./support/story.mjs";
import { see } from "./support/controls.mjs";

story("a payer pays by QR", async ({ payer, engine, sandbox }) => {
  const order = await payer.orders();
  await payer.sees("choosing");
  await payer.paysByQr();
  await sandbox.drive(await order.number(), "pay");
  await payer.sees("paid");
  await see(engine, "#thanks strong", "¡Gracias por tu compra!");
  assert.equal(await order.state(), "paid");
});

story(
  "the merchant's own content stands beside the reason",
  async ({ payer, engine, photograph }) => {
    await payer.orders();
    await payer.sees("unable");
    await photograph("unable");
    // The policy's 'wasm-unsafe-eval' is unknown to it: loading again would not help.
    const seen = await engine.evaluate(() => {
      const { shadowRoot } = document.querySelector("payment-checkout");
      const slotted = shadowRoot.querySelector("slot")?.assignedElements() ?? [];
      return {
        own: slotted.filter((node) => node.getClientRects().length > 0).map((node) => node.textContent),
        buttons: shadowRoot.querySelectorAll("button").length,
      };
    });
    assert.match(seen.own.join(), /tu pedido se conserva/);
    assert.equal(seen.buttons, 0);
  },
  { engines: UNABLE },
);
