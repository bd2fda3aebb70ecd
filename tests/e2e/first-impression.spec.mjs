// What a person sees and can press without scrolling, on a phone and on a laptop.

import { expect, test } from "./support/fixtures.mjs";

/** @import { Locator } from "@playwright/test" */

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const SHELF = ["cafe-250", "chocolate-70", "mochila-telar"];

/**
 * Presses what is on the screen: it does not scroll, and nothing covers the middle of the target.
 * @param {Locator} target
 */
async function press(target) {
  await expect(target).toBeVisible();
  const inSight = () =>
    target.evaluate((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      let root = /** @type {Document | ShadowRoot} */ (document);
      let hit = root.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      while (hit?.shadowRoot && hit !== node) {
        root = hit.shadowRoot;
        const inner = root.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (inner === hit || inner === null) break;
        hit = inner;
      }
      return top >= 0 && bottom <= innerHeight && (node === hit || node.contains(hit));
    });
  await expect.poll(inSight).toBe(true);
  const { x, y, width, height } = await target.boundingBox();
  await target.page().touchscreen.tap(x + width / 2, y + height / 2);
}

/** Orders a product, with three presses besides the form. */
async function orders({ page, shop }) {
  await shop.open();
  await press(page.getByRole("button", { name: /^Agregar/ }).first());
  await press(page.getByRole("link", { name: /Ver pedido/ }));
  await shop.fillIn({ first: "Rosa", last: "Quispe", email: "rosa@ejemplo.pe" });
  await press(shop.payButton);
}

/** The code with its button is on one screen of a phone. */
async function fits({ checkout }) {
  await expect(checkout.image).toBeVisible();
  const button = await checkout.saveLink.evaluate((node) => node.getBoundingClientRect().toJSON());
  expect(button.top).toBeGreaterThan(0);
  expect(button.bottom).toBeLessThan(740);
}

test("a phone shows the code of three products with its button on one screen, and a laptop the timer", async ({ device }) => {
  const payer = await device(PHONE);
  await payer.orders(SHELF.map((sku) => ({ sku, quantity: 1 })));
  await payer.opens();
  const { page, checkout } = payer;
  await checkout.qrButton.click();
  await fits(payer);
  await press(checkout.element.getByRole("button", { name: "Ampliar QR" }));
  const tile = checkout.element.locator("[part=qr]");
  await expect.poll(() => tile.evaluate((node) => node.getBoundingClientRect().width)).toBeGreaterThan(260);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  const laptop = await device({ viewport: { width: 1366, height: 768 } });
  await laptop.begins();
  const timer = laptop.checkout.element.getByRole("timer");
  expect(await timer.evaluate((node) => node.getBoundingClientRect().bottom)).toBeLessThan(768);
});

test("on a phone a visitor pays by QR in seven presses, without scrolling", async ({ device }) => {
  const payer = await device(PHONE);
  const { shop, checkout, context } = payer;
  await orders(payer);
  await press(checkout.qrButton);
  await fits(payer);
  const [wallet] = await Promise.all([context.waitForEvent("page"), press(shop.payInWallet)]);
  // The demo's button leads to this very code.
  const { merchantOperationNumber } = checkout.heardOnce("checkout-pending");
  expect(new URL(wallet.url()).pathname).toBe(`/phone/${merchantOperationNumber}`);
  await press(wallet.getByRole("button", { name: /^Pagar S/ }));
  await expect(wallet.getByText("Pago realizado")).toBeVisible();
  await wallet.close();
  await payer.sees("paid");
});

test("on a phone a payer who closed the tab finds the cash code again in one press", async ({ device }) => {
  const payer = await device(PHONE);
  await orders(payer);
  await payer.chooses("CASHCODE");
  const code = payer.checkout.element.locator("[part=code] [part=number]");
  const first = await code.textContent();
  await payer.page.close();

  const tab = await payer.tab();
  await tab.shop.open();
  await press(tab.page.getByRole("link", { name: "Volver al pago" }));
  await tab.sees("cash");
  await expect(tab.checkout.element.locator("[part=code] [part=number]")).toHaveText(String(first));
});
