// What a payer does on the way: cancels, reloads, goes to a lender, copies; and a checkout that stopped.

import assert from "node:assert/strict";
import { TEXTS } from "../../e2e/support/texts.mjs";
import { focused, marked, press, see } from "../support/controls.mjs";
import { story } from "../support/story.mjs";
import { until } from "../support/until.mjs";

const { ask: question, cancel } = TEXTS.es;

/** Safari gives a button no focus when it is clicked, so the question must not need one. */
async function asksAndListens({ payer, engine }, ask) {
  await ask();
  await payer.seesQuestion();
  await until("the focus in the question", async () => (await focused(engine)).startsWith(question));
  await engine.key("Escape");
  await payer.seesNoQuestion();
  await payer.seesCode();
}

story("the question about a cancellation has the focus, and Escape ends it", async (cast) => {
  const { payer, engine, sandbox } = cast;
  const order = await payer.orders();
  await payer.paysByQr();
  await asksAndListens(cast, () => payer.presses("cancel"));
  await until("the focus where it was", async () => (await focused(engine)) === cancel);
  assert.equal(await sandbox.state(await order.number()), "PENDIENTE");
});

story("the page's own question has the focus too", async (cast) => {
  const { payer, engine } = cast;
  await payer.orders();
  await payer.paysByQr();
  await asksAndListens(cast, () =>
    engine.evaluate(() => {
      /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
      document.querySelector("payment-checkout").cancel();
    }),
  );
});

story("a payer cancels, and pays another code", async ({ payer, sandbox }) => {
  const order = await payer.orders();
  await payer.paysByQr();
  const first = await order.number();
  await payer.presses("cancel");
  await payer.presses("confirm");
  await payer.sees("cancelled");
  assert.equal(await sandbox.state(first), "CANCELADO");

  await payer.presses("retry");
  await payer.paysByQr();
  const second = (await order.numbers()).find((number) => number !== first);
  await sandbox.drive(second, "pay");
  await payer.sees("paid");
});

story("a reload goes on with the same code", async ({ payer, engine, sandbox }) => {
  const order = await payer.orders();
  await payer.paysByQr();
  await engine.reload();
  await payer.seesCode();
  await sandbox.drive(await order.number(), "pay");
  await payer.sees("paid");
});

story("a lender approves, and the payer returns", async ({ payer, engine, sandbox, photograph }) => {
  const order = await payer.orders();
  await payer.presses("installmentMethod");
  await payer.arrivesAtTheLender();
  await payer.approvesAtTheLender();
  await payer.sees("paid");
  assert.equal(await order.state(), "paid");
  // The page removes the return token from the address, so that the payer cannot copy it.
  assert.equal(await engine.evaluate(() => location.search), `?order=${order.id}`);
  assert.equal((await sandbox.authorizations(order)).length, 1);
  await photograph("paid by installments");
});

story("Back from the lender goes on with the payment", async ({ payer, engine, sandbox }) => {
  const order = await payer.orders();
  await payer.presses("installmentMethod");
  await payer.arrivesAtTheLender();
  await engine.back();
  await payer.sees("continue");
  await payer.presses("continueLink");
  await payer.arrivesAtTheLender();
  await payer.approvesAtTheLender();
  await payer.sees("paid");
  assert.equal((await sandbox.authorizations(order)).length, 1);
});

story("a payer copies the number of the operation", async ({ payer, engine }) => {
  await payer.orders();
  await payer.paysByQr();
  await press(engine, "Copiar número de operación");
  // The region that a screen reader speaks says so; the name of the button may stay.
  await see(engine, "[aria-live]", "Copiado");
});

story("where nothing can be copied the whole cash code is marked", async ({ payer, engine, sandbox }) => {
  const order = await payer.orders();
  await payer.presses("cashMethod");
  await payer.sees("cash");
  const { cip } = await sandbox.operation(await order.number());
  await engine.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
  });
  await press(engine, "Copiar código");
  await until("the code to be marked", async () => (await marked(engine)).replace(/\D/g, "") === cip);
});

story("one press marks the whole cash code", async ({ payer, engine, sandbox }) => {
  const order = await payer.orders();
  await payer.presses("cashMethod");
  await payer.sees("cash");
  const { cip } = await sandbox.operation(await order.number());
  const place = await engine.evaluate(() => {
    const node = document.querySelector("payment-checkout").shadowRoot.querySelector("[part=code] .number");
    node.scrollIntoView({ block: "center" });
    const { left, top, width, height } = node.getBoundingClientRect();
    return { x: Math.round(left + width / 3), y: Math.round(top + height / 2) };
  });
  await engine.click(place.x, place.y);
  await until("the code to be marked", async () => (await marked(engine)).replace(/\D/g, "") === cip);
});

story(
  "a checkout that stopped starts again, and shows the end of the payment",
  async ({ payer, engine, sandbox }) => {
    const order = await payer.orders();
    await payer.paysByQr();
    await engine.evaluate(() => {
      const { insertBefore } = Node.prototype;
      Node.prototype.insertBefore = () => {
        Node.prototype.insertBefore = insertBefore;
        throw new TypeError("the page broke this");
      };
    });
    await sandbox.drive(await order.number(), "pay");
    await payer.sees("paid");
    assert.equal(await order.state(), "paid");
    // The browser tells of the stop, and of nothing else.
    const told = engine.errors.splice(0);
    assert.ok(told.every((error) => /unreachable|panic|page broke this/i.test(error)), told.join("\n"));
  },
);
