// Measures how long a payer on a slow phone waits, for `cargo xtask bench page`: prints `page<TAB>figure<TAB>value`.
//
// Environment: BEFORE and NOW (packages), BACKEND_URL, ORDERS_SECRET, CHROME, ROUNDS, SLOWER. The pages take turns, so that other work on the
// machine slows all of them alike.

import { chromium } from "@playwright/test";
import * as pages from "./payer/served-pages.mjs";
import { visitServerPage } from "./payer/server-page.mjs";
import { blockedBefore, longestAfter } from "./payer/probe.mjs";
import { visit } from "./payer/visit.mjs";

const { BEFORE, NOW, BACKEND_URL, CHROME, ORDERS_SECRET } = process.env;
const ROUNDS = Number(process.env.ROUNDS);
const SLOWER = Number(process.env.SLOWER);
/** How long after being ready the calm payer presses: everything that is loaded meanwhile is there. */
const LATER = 3000;

/** @type {[string, import("./payer/served-pages.mjs").Page][]} */
const compared = [
  ["before", await pages.element(BEFORE, { hints: false })],
  ["before, hints", await pages.element(BEFORE, { hints: true })],
  ["now", await pages.element(NOW, { hints: false })],
  ["now, hints", await pages.element(NOW, { hints: true })],
  ["plain", await pages.plain()],
];

const browser = await chromium.launch({
  executablePath: CHROME,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const servers = await Promise.all(compared.map(([, page]) => pages.serve(page, BACKEND_URL)));

for (let round = 0; round <= ROUNDS; round += 1) {
  console.log(round ? `round ${round}` : "a round to get warm");
  for (const [index, [name]] of compared.entries()) {
    const { address } = servers[index];
    const hasty = await visit(browser, address, SLOWER, null);
    const calm = await visit(browser, address, SLOWER, LATER);
    if (!round) continue;
    const tell = (/** @type {string} */ figure, /** @type {number} */ value) =>
      console.log(`${name}\t${figure}\t${value.toFixed(1)}`);
    tell("first screen, ms", hasty.shown);
    tell("ready, ms", hasty.ready);
    tell("pressed at once: answered, ms", hasty.answered);
    tell("pressed at once: QR, ms", hasty.qr);
    tell("pressed later: press to QR, ms", calm.qr - calm.pressed);
    tell("the same without its request, ms", calm.qr - calm.pressed - calm.asked);
    tell("bytes until the QR", hasty.traffic.bytes);
    tell("requests until the QR", hasty.traffic.requests);
    tell("blocked before ready, ms", blockedBefore(hasty));
    tell("longest task after ready, ms", Math.max(longestAfter(hasty), longestAfter(calm)));
  }
  const plan = { backend: BACKEND_URL, secret: ORDERS_SECRET, slower: SLOWER };
  const own = await visitServerPage(browser, plan);
  if (!round) continue;
  const tell = (/** @type {string} */ figure, /** @type {number} */ value) =>
    console.log(`server's page\t${figure}\t${value.toFixed(1)}`);
  tell("first screen, ms", own.shown);
  tell("pressed at once: QR, ms", own.qr);
  tell("bytes until the QR", own.traffic.bytes);
  tell("requests until the QR", own.traffic.requests);
}
await browser.close();
for (const server of servers) server.stop();
