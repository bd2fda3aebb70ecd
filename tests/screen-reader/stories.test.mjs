// Payments that a screen reader reads aloud. `heard.txt` lists the phrases that it has to say, in order.

import { heard } from "./support/listening.mjs";

/** Orders something, and goes to the checkout on its page. */
async function arrives({ payer, engine, press, hear, rests }) {
  const order = await payer.orders();
  await payer.sees("choosing");
  await rests();
  // Out of the browser's own address bar.
  await press("F6");
  await hear("documento web");
  await engine.evaluate(() => document.querySelector("payment-checkout").focus());
  await hear("¿Cómo quieres pagar?");
  return order;
}

async function paysByQr(cast) {
  const order = await arrives(cast);
  await cast.press("Tab");
  await cast.hear("Con QR");
  await cast.press("Return");
  await cast.hear("Escanea con tu app");
  return order;
}

heard("A payer pays by QR", async (cast) => {
  const order = await paysByQr(cast);
  await cast.sandbox.drive(await order.number(), "pay");
});

heard("A payer thinks of canceling", async (cast) => {
  await paysByQr(cast);
  await cast.goTo("action.cancel");
  await cast.hear("Anular pago");
  await cast.press("Return");
  await cast.hear("¿Anular este pago?");
  await cast.press("Tab");
  await cast.hear("Volver a mi pago");
  await cast.press("Return");
});

heard("A payer checks while the code waits", async (cast) => {
  await paysByQr(cast);
  await cast.goTo("action.check");
  await cast.hear("Consultar ahora");
  await cast.press("Return");
});

heard("A payer gets a code for cash", async (cast) => {
  await arrives(cast);
  await cast.press("Tab");
  await cast.hear("Con QR");
  await cast.press("Tab");
  await cast.rests();
  await cast.press("Tab");
  await cast.hear("En efectivo");
  await cast.press("Return");
  await cast.hear("Tu código de pago");
  for (let line = 1; line <= 5; line += 1) {
    await cast.press("Down");
    await cast.rests();
  }
});

heard("A code expires", async (cast) => {
  const { controls } = cast.sandbox;
  try {
    await controls.clock(-600);
    await controls.settings({ qr_expires_in_s: 640 });
    await paysByQr(cast);
    await cast.hear("Se acabó el tiempo");
    await controls.clock(0);
    await cast.hear("Este QR venció");
  } finally {
    await controls.reset({ qr_expires_in_s: 900 });
  }
});
