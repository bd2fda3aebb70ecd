// One visit of a page, from its address to the QR.

import { pageOfAnOrder } from "./order.mjs";
import { slowPhone, Traffic } from "./slow-phone.mjs";
import { probe } from "./probe.mjs";

/** @import { Browser } from "@playwright/test" */
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
