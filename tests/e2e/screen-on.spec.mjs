// The screen stays on while a QR code waits and is seen.

import { expect, test } from "./support/fixtures.mjs";

/** @import { Page } from "@playwright/test" */

/** The browser's wake lock, which notes how many are held now and how many were ever asked for. @param {Page} page */
async function noteLocks(page, refuses = false) {
  await page.addInitScript((refuses) => {
    const locks = { held: 0, asked: 0 };
    Object.assign(globalThis, { locks });
    const request = async () => {
      locks.asked += 1;
      if (refuses) throw new DOMException("", "NotAllowedError");
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
  }, refuses);
}

/** @param {Page} page @returns {Promise<{ held: number, asked: number }>} */
const locks = (page) => page.evaluate(() => Reflect.get(globalThis, "locks"));

/** @param {Page} page @param {boolean} isHidden */
async function hide(page, isHidden) {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: isHidden });
    Object.defineProperty(document, "visibilityState", { configurable: true, value: isHidden ? "hidden" : "visible" });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

test("with a code it stays on until the payment, but not while the page is hidden", async ({ payer, checkout, page }) => {
  await noteLocks(page);
  await payer.opens();
  await checkout.works();
  expect((await locks(page)).asked).toBe(0);
  await payer.chooses("QR");
  await expect.poll(async () => (await locks(page)).held).toBe(1);
  await hide(page, true);
  await expect.poll(async () => (await locks(page)).held).toBe(0);
  await hide(page, false);
  await expect.poll(() => locks(page)).toEqual({ held: 1, asked: 2 });
  await payer.pays();
  await payer.sees("paid");
  await expect.poll(async () => (await locks(page)).held).toBe(0);
  await hide(page, true);
  await hide(page, false);
  expect((await locks(page)).asked).toBe(2);
});

test("an element that leaves the page lets the screen go dark", async ({ payer, page }) => {
  await noteLocks(page);
  await payer.begins();
  await expect.poll(async () => (await locks(page)).held).toBe(1);
  await page.evaluate(() => document.querySelector("payment-checkout")?.remove());
  await expect.poll(async () => (await locks(page)).held).toBe(0);
});

test("a cash code keeps no screen on", async ({ payer, page }) => {
  await noteLocks(page);
  await payer.begins({ method: "CASHCODE" });
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/save-and-print.js")),
  );
  await hide(page, true);
  await hide(page, false);
  expect((await locks(page)).asked).toBe(0);
});

test("a browser that refuses is not told to anybody", async ({ payer, checkout, page }) => {
  await noteLocks(page, true);
  await payer.begins();
  await expect.poll(async () => (await locks(page)).asked).toBe(1);
  expect(checkout.heard("checkout-error")).toEqual([]);
  await payer.pays();
  await payer.sees("paid");
});
