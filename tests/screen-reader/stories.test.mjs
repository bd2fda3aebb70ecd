// Payments that a screen reader reads aloud. `heard.txt` lists the phrases that it has to say, in order.

import { heard } from "./support/listening.mjs";

/** What the voice says of the pages on the way. */
const SAYS = {
  es: {
    page: "documento web",
    choosing: "¿Cómo quieres pagar?",
    byQr: "Con QR",
    qr: "Escanea con tu app",
    cancel: "Anular pago",
    ask: "¿Anular este pago?",
    keep: "Volver a mi pago",
    check: "Consultar ahora",
    inCash: "En efectivo",
    cash: "Tu código de pago",
    over: "Se acabó el tiempo",
    expired: "Este QR venció",
  },
  en: {
    page: "document web",
    choosing: "How would you like to pay?",
    byQr: "By QR",
    qr: "Scan with your app",
    cancel: "Cancel payment",
    ask: "Cancel this payment?",
    keep: "Back to my payment",
    check: "Check now",
    inCash: "In cash",
    cash: "Your payment code",
    over: "The time to pay is over",
    expired: "This QR has expired",
  },
};

const saysTo = (cast) => SAYS[cast.payer.language];

/** Orders something, and goes to the checkout on its page. */
async function arrives(cast) {
  const { payer, engine, press, hear, rests } = cast;
  const order = await payer.orders();
  await payer.sees("choosing");
  await rests();
  // Out of the browser's own address bar.
  await press("F6");
  await hear(saysTo(cast).page);
  await engine.evaluate(() => document.querySelector("payment-checkout").focus());
  await hear(saysTo(cast).choosing);
  return order;
}

async function paysByQr(cast) {
  const order = await arrives(cast);
  await cast.press("Tab");
  await cast.hear(saysTo(cast).byQr);
  await cast.press("Return");
  await cast.hear(saysTo(cast).qr);
  return order;
}

heard("A payer pays by QR", async (cast) => {
  const order = await paysByQr(cast);
  await cast.sandbox.drive(await order.number(), "pay");
});

heard("A payer thinks of canceling", async (cast) => {
  await paysByQr(cast);
  await cast.goTo("action.cancel");
  await cast.hear(saysTo(cast).cancel);
  await cast.press("Return");
  await cast.hear(saysTo(cast).ask);
  await cast.press("Tab");
  await cast.hear(saysTo(cast).keep);
  await cast.press("Return");
});

heard("A payer checks while the code waits", async (cast) => {
  await paysByQr(cast);
  await cast.goTo("action.check");
  await cast.hear(saysTo(cast).check);
  await cast.press("Return");
});

heard("A payer gets a code for cash", async (cast) => {
  await arrives(cast);
  await cast.press("Tab");
  await cast.hear(saysTo(cast).byQr);
  await cast.press("Tab");
  await cast.rests();
  await cast.press("Tab");
  await cast.hear(saysTo(cast).inCash);
  await cast.press("Return");
  await cast.hear(saysTo(cast).cash);
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
    await cast.hear(saysTo(cast).over);
    await controls.clock(0);
    await cast.hear(saysTo(cast).expired);
  } finally {
    await controls.reset({ qr_expires_in_s: 900 });
  }
});
