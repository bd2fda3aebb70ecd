// The screen stays on while a QR code waits and is seen.

import { expect, test } from "./support/fixtures.mjs";
import { look } from "./support/payer.mjs";

/** @import { Page } from "@playwright/test" */

/** The browser's wake lock, which notes how many are held now and how many were ever asked for. @param {Page} page */
async function noteLocks(page) {
  await page.addInitScript(() => {
    const locks = { held: 0, asked: 0 };
    Object.assign(globalThis, { locks });
    const request = async () => {
      locks.asked += 1;
      locks.held += 1;
      let isHeld = true;
      const release = async () => {
        locks.held -= Number(isHeld);
        isHeld = false;
      };
      // A browser takes its promise back when the page is hidden.
      document.addEventListener("visibilitychange", () => document.hidden && release());
      return { release };
    };
    Object.defineProperty(navigator, "wakeLock", { value: { request } });
  });
}

/** @param {Page} page @returns {Promise<{ held: number, asked: number }>} */
const locks = (page) => page.evaluate(() => Reflect.get(globalThis, "locks"));

test("it stays on with a QR code until the payment, but not with a cash code, hidden, or without the element", async ({
  payer,
  order,
  checkout,
  page,
}) => {
  await noteLocks(page);
  const { number: cash } = await payer.begins({ order, method: "CASHCODE" });
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/save-and-print.js")),
  );
  await look(page, true);
  await look(page, false);
  await checkout.leaveForAnotherWay();
  await payer.sees("choosing");
  expect((await locks(page)).asked).toBe(0);

  await payer.chooses("QR");
  await expect.poll(async () => (await locks(page)).held).toBe(1);
  await look(page, true);
  await expect.poll(async () => (await locks(page)).held).toBe(0);
  await look(page, false);
  await expect.poll(() => locks(page)).toEqual({ held: 1, asked: 2 });

  const element = await page.locator("payment-checkout").elementHandle();
  await element.evaluate((element) => element.remove());
  await expect.poll(async () => (await locks(page)).held).toBe(0);
  await element.evaluate((element) => document.body.append(element));
  await expect.poll(() => locks(page)).toEqual({ held: 1, asked: 3 });

  await payer.pays(await order.numberAfter(cash));
  await payer.sees("paid");
  await expect.poll(async () => (await locks(page)).held).toBe(0);
  await look(page, true);
  await look(page, false);
  expect((await locks(page)).asked).toBe(3);
});
