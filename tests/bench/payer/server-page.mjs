// One visit of the server's own page of an order, from its address to the QR.

import { randomUUID } from "node:crypto";
import { sign } from "../../support/signed-order.mjs";
import { slowPhone, Traffic } from "./slow-phone.mjs";

/** @import { Browser } from "@playwright/test" */

const PATIENCE = 60_000;

/**
 * Visits with an order of its own, and presses as soon as the button is seen. Instants are milliseconds since the start of
 * the navigation. The page has no script: the probe is the browser's.
 * @param {Browser} browser
 * @param {{ backend: string, secret: string, slower: number }} plan
 */
export async function visitServerPage(browser, { backend, secret, slower }) {
  const address = await pageOfAnOrder(backend, secret);
  const { context, page, session } = await slowPhone(browser, slower);
  try {
    const traffic = new Traffic(session);
    await page.addInitScript(probe);
    await page.goto(address, { waitUntil: "commit" });
    const seen = () => /** @type {any} */ (window).bench?.qr !== undefined;
    await page.waitForFunction(seen, undefined, { polling: 250, timeout: PATIENCE });
    const { start, shown, qr } = await page.evaluate(() => JSON.parse(window.name));
    return { shown: shown - start, qr: qr - start, traffic: traffic.until(qr - start) };
  } finally {
    await context.close();
  }
}

/** @param {string} backend @param {string} secret */
async function pageOfAnOrder(backend, secret) {
  const iat = Math.floor(Date.now() / 1000) - 5;
  const claims = { aud: `${backend}/api`, iat, exp: iat + 600, order_id: randomUUID(), amount: 12990, currency: "PEN" };
  const order = sign(claims, secret);
  const body = new URLSearchParams({ order });
  const answer = await fetch(`${backend}/api/pay`, { method: "POST", body, redirect: "manual" });
  const location = answer.headers.get("location");
  if (!location) throw new Error(`no page of an order: ${answer.status}`);
  return new URL(location, backend).href;
}

/** Runs in both documents, of the choice and of the code. What it sees is kept in the window's name, which stays. */
function probe() {
  const marks = JSON.parse(window.name || "{}");
  marks.start ??= performance.timeOrigin;
  const now = () => performance.timeOrigin + performance.now();
  const keep = () => void (window.name = JSON.stringify(marks));
  const visible = (/** @type {Element | null} */ part) => Boolean(part && part.getBoundingClientRect().height > 0);
  (function look() {
    const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('button[value="QR"]'));
    const picture = /** @type {HTMLImageElement | null} */ (document.querySelector("img.qr"));
    if (visible(picture)) {
      picture.decode().then(() =>
        requestAnimationFrame(() => {
          marks.qr = now();
          keep();
          Object.assign(window, { bench: marks });
        }),
      );
    } else if (visible(button) && !marks.shown) {
      marks.shown = now();
      keep();
      requestAnimationFrame(() => button.click());
    } else requestAnimationFrame(look);
  })();
}
