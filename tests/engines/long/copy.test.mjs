import { marked, press, see } from "../support/controls.mjs";
import { story } from "../support/story.mjs";
import { until } from "../support/until.mjs";

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
