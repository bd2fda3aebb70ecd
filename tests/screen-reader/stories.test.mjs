// Payments, and the second factor, the links and the news of staff, that a screen reader reads aloud. `heard.txt` lists the phrases that it has to say, in order.

import assert from "node:assert/strict";
import { Sale } from "../e2e/support/merchant.mjs";
import { TEXTS } from "../e2e/support/pages/staff.mjs";
import { App, enrolmentCode, hire } from "../e2e/support/second-factor.mjs";
import { fromPage } from "../engines/support/requests.mjs";
import { until } from "../engines/support/until.mjs";
import { servers } from "../servers.mjs";
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
    begun: "Operaciones nuevas: 1.",
    paid: "Pagadas: 1.",
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
    begun: "New operations: 1.",
    paid: "Paid: 1.",
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

const API = "/api/staff";

/**
 * Opens the desk. A page of its origin may ask its server.
 *
 * @param {import("./support/listening.mjs").Cast} cast
 * @param {string} operation that it shows
 */
async function opensDesk({ engine, language }, operation = "") {
  const address = new URL("/staff.html", servers.shop);
  if (language !== "es") address.searchParams.set("lang", language);
  if (operation) address.searchParams.set("operation", operation);
  await engine.open(address.href);
}

/** Comes from the browser's own address bar into the page, and waits for the desk. */
async function reachesDesk({ engine, press, hear, rests, language }, button) {
  await until("the desk", () => engine.evaluate(shows, button));
  await rests();
  await press("F6");
  await hear(SAYS[language].page);
}

/** Runs in the page. */
function shows(text) {
  const buttons = document.querySelector("payment-operations")?.shadowRoot?.querySelectorAll("button") ?? [];
  return [...buttons].some((button) => button.textContent.trim() === text);
}

/** Signs an account in by requests of the page. @returns {Promise<any>} what a path answers to a body, below the staff's */
async function signsIn({ engine }, name) {
  const request = fromPage(engine);
  const headers = () => ({ "Idempotency-Key": `"${crypto.randomUUID()}"` });
  const post = async (path, data) => (await request.post(`${API}${path}`, { data, headers: headers() })).json();
  await post("/session", { name, password: servers.staff_password });
  return post;
}

/** Types a code into the field of the dialog that has the focus, and sends it. */
async function sends({ fill, press }, code) {
  await fill("dialog-code", code);
  await press("Return");
}

heard("A member of staff sets up the second factor", async (cast) => {
  const { engine, press, hear, rests, goTo, language } = cast;
  const words = TEXTS[language];
  const name = hire();
  await opensDesk(cast);
  await signsIn(cast, name);
  await opensDesk(cast);
  await reachesDesk(cast, words.setUpFactor);
  await goTo(words.setUpFactor);
  await hear(words.setUpFactor);
  await press("Return");
  await rests();
  // Away from the field and back to it: of where the focus is when a dialog opens, the screen reader says nothing.
  await press("Tab");
  await rests();
  await press("shift+Tab");
  await hear(words.enrolmentCode);
  await sends(cast, await enrolmentCode(name));
  await rests();
  const uri = await until("the key", () => engine.evaluate(keyOf));
  const app = new App(uri);
  // From the field back to what stands before it.
  for (let stop = 1; stop <= 2; stop += 1) {
    await press("shift+Tab");
    await rests();
  }
  for (let line = 1; line <= 4; line += 1) {
    await press("Up");
    await rests();
  }
  await goTo("dialog-code");
  await rests();
  await sends(cast, "000000");
  await rests();
  await sends(cast, await app.code());
  await rests();
  await press("Tab");
  await hear(words.haveCodes);
  await press("Return");
  await hear(words.changeDevice);
});

/** Runs in the page: the address in the QR code. */
function keyOf() {
  const root = document.querySelector("payment-operations").shadowRoot;
  return root.querySelector("dialog a")?.getAttribute("href") ?? "";
}

heard("A refund waits for a step-up", async (cast) => {
  const { engine, press, hear, rests, goTo, language, sandbox } = cast;
  const words = TEXTS[language];
  const name = hire();
  await opensDesk(cast);
  const sale = await Sale.make(/** @type {any} */ ({ request: fromPage(engine) }), sandbox, ["pay", "settle"]);
  const post = await signsIn(cast, name);
  const enrolment_code = await enrolmentCode(name);
  const app = new App((await post("/second-factor", { enrolment_code })).uri);
  await post("/second-factor/confirm", { enrolment_code, code: await app.code() });
  // Only a settled payment is refunded; before the server knows, the same button reverses it.
  const operation = `${servers.settings.MERCHANT_CODE}/${sale.number}`;
  await fromPage(engine).get(`/api/staff/charges/${operation}/-`);
  await opensDesk(cast, operation);
  await reachesDesk(cast, words.refund);
  // Nothing of the server waits five minutes here: its answer after them is played once.
  await engine.evaluate(refuseOnce);
  await goTo(words.refund);
  await rests();
  await press("Return");
  await until("the dialog", () => engine.evaluate(hasDialog));
  await rests();
  await press("space");
  await rests();
  await goTo(words.review);
  await rests();
  await press("Return");
  await rests();
  await goTo(words.sendRefund);
  await rests();
  await press("Return");
  await rests();
  await sends(cast, "000000");
  await rests();
  await sends(cast, await app.code());
  await hear(words.results);
});

/** Runs in the page. */
function hasDialog() {
  return Boolean(document.querySelector("payment-operations")?.shadowRoot?.querySelector("dialog[open]"));
}

/** Runs in the page: answers the first refund as the server does when the code of the session is too old. */
function refuseOnce() {
  const ask = window.fetch;
  const problem = { type: "urn:payment-checkout:problem:second-factor-required", status: 403, money: "nothing_charged" };
  window.fetch = (input, options) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!address.endsWith("/api/staff/refund")) return ask(input, options);
    window.fetch = ask;
    const headers = { "Content-Type": "application/problem+json" };
    return Promise.resolve(new Response(JSON.stringify(problem), { status: 403, headers }));
  };
}

/**
 * Presses keys, each when the voice has said everything about the one before.
 *
 * @param {import("./support/listening.mjs").Cast} cast
 * @param {string[]} keys
 */
async function presses({ press, rests }, ...keys) {
  for (const key of keys) {
    await press(key);
    await rests();
  }
}

/** Opens the list of links, of an account of its own with a limit: a day has one, too. */
async function opensLinks(cast) {
  const words = TEXTS[cast.language];
  await opensDesk(cast);
  const post = await signsIn(cast, hire('permissions = ["link"]\nlink_limit = 5000'));
  await opensDesk(cast);
  await reachesDesk(cast, words.links);
  await cast.goTo(words.links);
  await cast.rests();
  return post;
}

heard("A member of staff makes a payment link", async (cast) => {
  const { engine, hear, rests, goTo, fill, language } = cast;
  const words = TEXTS[language];
  await opensLinks(cast);
  await presses(cast, "Return");
  await goTo(words.newLink);
  await hear(words.newLink);
  // Away from the field and back to it: of where the focus is when a dialog opens, the screen reader says nothing.
  await presses(cast, "Return", "Tab", "shift+Tab");
  // With nothing in it.
  await presses(cast, "Return");
  await fill("amount-0", "1.50");
  await presses(cast, "Tab");
  await fill("label", "Polo azul");
  await presses(cast, "Tab", "Tab", "Return");
  await until("the link", () => engine.evaluate(hasLink));
  await rests();
  await presses(cast, "Tab", "Tab", "Return", "Tab", "Tab");
});

/** Runs in the page. */
function hasLink() {
  return Boolean(document.querySelector("payment-operations")?.shadowRoot?.querySelector("dialog details"));
}

heard("A member of staff ends a payment link", async (cast) => {
  const { goTo, rests, language } = cast;
  const words = TEXTS[language];
  const post = await opensLinks(cast);
  const pay_until = Date.now() + 3_600_000;
  const link = { merchant_code: servers.settings.MERCHANT_CODE, amount: 150, label: "Polo azul", pay_until };
  assert.ok((await post("/links", link)).url);
  await presses(cast, "Return");
  await goTo(words.end);
  await rests();
  await presses(cast, "Return", "Tab", "Up", "Up", "Up");
  await goTo(words.endYes);
  await rests();
  await presses(cast, "Return");
});

heard("A payment comes while staff are at the desk", async (cast) => {
  const { engine, sandbox, hear, goTo, language } = cast;
  const words = TEXTS[language];
  await opensDesk(cast);
  await signsIn(cast, "ana");
  await opensDesk(cast);
  await reachesDesk(cast, words.search);
  await until("the place where news begin", () => engine.evaluate(follows));
  await goTo("text");
  await hear(words.identifier);
  const sale = await Sale.make(/** @type {any} */ ({ request: fromPage(engine) }), sandbox);
  await hear(SAYS[language].begun);
  await sandbox.drive(sale.number, "pay");
  await hear(SAYS[language].paid);
  assert.equal(await engine.evaluate(focused), "text");
});

/** Runs in the page. */
function follows() {
  return performance.getEntriesByType("resource").some(({ name }) => name.includes("/api/staff/news"));
}

/** Runs in the page: the id of what has the focus. */
function focused() {
  return document.querySelector("payment-operations")?.shadowRoot?.activeElement?.id;
}
