// One story for each engine, in every run of the tests.

import assert from "node:assert/strict";
import { signed } from "../support/signed-order.mjs";
import { servers } from "../servers.mjs";
import { press, see, sees } from "./support/controls.mjs";
import { name } from "./support/engine.mjs";
import { PAYING, UNABLE, story } from "./support/story.mjs";
import { until } from "./support/until.mjs";

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

story(
  "the server's own page pays where the element runs, and where it does not",
  async ({ engine, sandbox, photograph }) => {
    const body = new URLSearchParams({ order: signed() });
    const answer = await fetch(`${servers.backend}/api/pay`, { method: "POST", body, redirect: "manual" });
    const page = new URL(answer.headers.get("location") ?? "", servers.backend);
    page.searchParams.set("lang", "es");
    await engine.open(page.href);
    if (PAYING.includes(name)) {
      // A press in the moment in which the element takes the place of the card would hit neither.
      const state = () => document.querySelector("payment-checkout")?.state;
      await until("the element in place of the card", async () => (await engine.evaluate(state)) === "choosing");
    }
    await press(engine, /^Con QR/);
    await see(engine, "img", /^Código QR para pagar/);
    await photograph("page with a code");
    // As the server draws it, whatever the element shows.
    const drawn = await (await fetch(page)).text();
    const number = drawn.match(/class="number"[^>]*>([\d ]+)</)?.[1].replaceAll(" ", "");
    await sandbox.drive(number, "pay");
    await until("the receipt", async () => {
      await engine.reload();
      return sees(engine, "h1", "¡Pago confirmado!");
    });
    await photograph("receipt");
  },
  { engines: [...PAYING, ...UNABLE] },
);
