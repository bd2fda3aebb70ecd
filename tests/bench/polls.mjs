// Measures what the element holds in memory after 1,000 and after 10,000 questions for the state, for
// `cargo xtask bench polls`.
//
// Environment: NOW (a package), BACKEND_URL, CHROME. The real server answers every question. It would hold each for 20
// seconds, so the bench takes `Prefer: wait` out, and Chromium's virtual time jumps over the pauses of the element.

import { chromium } from "@playwright/test";
import { held, keepMemories } from "./payer/memory.mjs";
import { pageOfAnOrder } from "./payer/visit.mjs";
import { element, serve } from "./payer/served-pages.mjs";

const { NOW, BACKEND_URL, CHROME } = process.env;
/** The first and the last are compared; those between show whether a growth goes on. */
const COUNTS = [1000, 2500, 5000, 10_000];
/** Of what is held after the first count, in percent. */
const MOST = 2;

let asked = 0;
/** Hears of the next question. */
let hear = () => {};
const server = await serve(await element(NOW, { hints: false }), BACKEND_URL, (request) => {
  if (request.method !== "GET") return;
  delete request.headers.prefer;
  asked += 1;
  hear();
});

/** @param {number} count */
const questions = (count) =>
  new Promise((enough) => {
    hear = () => asked >= count && enough(undefined);
  });

const browser = await chromium.launch({
  executablePath: CHROME,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: "es-PE" });
const page = await context.newPage();
page.on("pageerror", (error) => console.log(`the page complains: ${error.message}`));
await page.addInitScript(keepMemories);
await page.goto(await pageOfAnOrder(context, server.address));
const checkout = page.locator("payment-checkout");
await checkout.getByRole("button", { name: "Con QR" }).click();
await checkout.getByRole("img", { name: "Código QR" }).waitFor();

const session = await context.newCDPSession(page);
const results = [];
for (const count of COUNTS) {
  const start = performance.now();
  const enough = questions(count);
  await session.send("Emulation.setVirtualTimePolicy", { policy: "pauseIfNetworkFetchesPending", budget: 1e9 });
  await enough;
  await session.send("Emulation.setVirtualTimePolicy", { policy: "pause" });
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  const state = await checkout.evaluate((checkout) => /** @type {any} */ (checkout).state);
  if (state !== "pending") throw new Error(`the checkout is ${state}, so it does not ask as one that waits`);
  const now = await held(page, session);
  results.push(now);
  console.log(`after ${asked} questions (${seconds} s): ${now.told}`);
}
const [first, last] = [results[0], results[results.length - 1]];
for (const part of /** @type {const} */ (["heap", "wasm"])) {
  const growth = (last[part] / first[part] - 1) * 100;
  console.log(`growth of the ${part} ${growth.toFixed(2)} %, at most ${MOST} %: ${growth <= MOST ? "reached" : "missed"}`);
}
// A browser whose time stands still does not close.
await session.send("Emulation.setVirtualTimePolicy", { policy: "advance" });
await browser.close();
server.stop();
