// One visit of a page about an order, which a shop has made before its page is opened: from its address to the QR.

import { probe } from "./probe.mjs";
import { slowPhone, Traffic } from "./slow-phone.mjs";

/** @import { Browser, BrowserContext } from "@playwright/test" */

/**
 * Makes an order for the payer of this context, and gives the address of the page about it.
 * @param {BrowserContext} context
 * @param {string} address
 */
export async function pageOfAnOrder(context, address) {
  const answer = await context.request.post(`${address}/api/orders`, {
    data: { items: [{ sku: "mochila-telar", quantity: 1 }] },
  });
  if (!answer.ok()) throw new Error(`POST /api/orders: ${answer.status()} ${await answer.text()}`);
  const { order_id, amount, currency } = await answer.json();
  return `${address}/?${new URLSearchParams({ order_id, amount, currency })}`;
}

/** @typedef {import("./probe.mjs").Marks & {asked: number, traffic: {requests: number, bytes: number}}} Visit */

/** How long after the QR long tasks are still counted. */
const AFTERWARDS = 500;
const PATIENCE = 60_000;

/**
 * Visits with an order of its own, and presses as planned.
 * @param {Browser} browser
 * @param {string} address
 * @param {number} slower how many times slower the processor of the phone is
 * @param {number | null} later how long after being ready the button is pressed; `null` is at once when it is seen
 * @returns {Promise<Visit>}
 */
export async function visit(browser, address, slower, later) {
  const { context, page, session } = await slowPhone(browser, slower);
  try {
    const traffic = new Traffic(session);
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.addInitScript(probe, { later });
    await page.goto(await pageOfAnOrder(context, address), { waitUntil: "commit" });
    const marks = () => page.evaluate(() => /** @type {any} */ (window).bench);
    const seen = () => /** @type {any} */ (window).bench?.qr !== undefined;
    const arrived = page.waitForFunction(seen, undefined, { polling: 250, timeout: PATIENCE });
    await arrived.catch(async () => {
      throw new Error(`no QR within a minute: ${JSON.stringify(await marks())} ${errors.join("; ")}`);
    });
    await page.waitForTimeout(AFTERWARDS);
    if (errors.length > 0) throw new Error(`the page complains: ${errors.join("; ")}`);
    const told = await marks();
    return { ...told, asked: await page.evaluate(asked), traffic: traffic.until(told.qr) };
  } finally {
    await context.close();
  }
}

/** How long the request to authorize was on its way, by the browser's own count. */
function asked() {
  const requests = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType("resource"));
  const { startTime, responseEnd } = requests.find(({ name }) => name.endsWith("/charges"));
  return responseEnd - startTime;
}
