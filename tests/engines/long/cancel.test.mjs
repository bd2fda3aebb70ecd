import assert from "node:assert/strict";
import { TEXTS } from "../../e2e/support/texts.mjs";
import { focused } from "../support/controls.mjs";
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
