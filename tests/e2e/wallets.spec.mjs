// The page names the apps that pay its codes, shows their marks, and puts words of its own on the element's screens.

import { expect, test } from "./support/fixtures.mjs";
import { holdWasm } from "./support/held-wasm.mjs";

/** @import { Page } from "@playwright/test" */

/** Gives the shop's element what a merchant's page would have on its tag. @param {Page} page */
async function dress(page) {
  await page.evaluate(() => {
    const element = /** @type {HTMLElement} */ (document.querySelector("payment-checkout"));
    element.setAttribute("wallets", "<b>Apu</b>, Nube");
    const mark = document.createElement("img");
    // One pixel, drawn large.
    mark.src = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    Object.assign(mark, { alt: "", width: 48, height: 24 });
    const marks = document.createElement("span");
    const words = document.createElement("p");
    const link = document.createElement("a");
    Object.assign(link, { href: "#apu", textContent: "Abrir Apu" });
    Object.assign(words, { slot: "choosing", textContent: "Compra protegida" });
    Object.assign(marks, { slot: "wallets" }).append(mark);
    const waiting = Object.assign(document.createElement("p"), { slot: "waiting" });
    waiting.append(link);
    element.append(marks, words, waiting);
  });
}

test("they are named and shown in the choice before and after the wasm, and with the code", async ({ payer, checkout, page }) => {
  const release = await holdWasm(page);
  await payer.opens();
  await expect(checkout.heading("choosing")).toBeVisible();
  await dress(page);
  const named = checkout.element.getByText("Con <b>Apu</b>, Nube o la app de tu banco.");
  const marks = page.locator("payment-checkout img[width='48']");
  const seen = async () => {
    await expect(named).toBeVisible();
    await expect(marks).toBeVisible();
    await expect(page.getByText("Compra protegida")).toBeVisible();
    await expect(page.getByRole("link", { name: "Abrir Apu" })).toBeHidden();
  };
  await seen();
  release();
  await checkout.works();
  await seen();

  // A press on a mark is one on the choice.
  const place = await marks.boundingBox();
  await page.mouse.click(Number(place?.x) + 10, Number(place?.y) + 10);
  await payer.seesCode();
  await expect(checkout.element.getByText("Abre <b>Apu</b>, Nube o la app de tu banco.")).toBeVisible();
  await expect(marks).toBeVisible();
  const [tile, below] = [await checkout.tile.boundingBox(), await marks.boundingBox()];
  expect(below?.y).toBeGreaterThan(Number(tile?.y) + Number(tile?.height) - 1);
  await expect(page.getByRole("link", { name: "Abrir Apu" })).toBeVisible();
  await expect(page.getByText("Compra protegida")).toBeHidden();

  await payer.pays();
  await payer.sees("paid");
  await expect(marks).toBeHidden();
});

test("without content a slot takes no room", async ({ payer, checkout }) => {
  const height = () => checkout.element.evaluate((element) => element.getBoundingClientRect().height);
  const withoutSlots = () =>
    checkout.element.evaluate(({ shadowRoot }) => {
      for (const slot of shadowRoot?.querySelectorAll("slot") ?? []) slot.remove();
    });
  // What the page itself put there.
  const empty = () =>
    checkout.element.evaluate((element) => {
      for (const content of element.querySelectorAll(":scope > [slot]")) content.remove();
    });
  await payer.opens();
  await checkout.works();
  for (const step of [async () => {}, () => payer.chooses("QR")]) {
    await step();
    for (const width of [360, 900]) {
      await empty();
      await checkout.element.evaluate((element, width) => void (element.style.width = `${width}px`), width);
      const before = await height();
      await withoutSlots();
      expect(await height(), `${width} px`).toBe(before);
      await checkout.element.evaluate((element) => void (element.style.width = ""));
      if (width === 360) await payer.reloads().then(() => checkout.works());
    }
    await payer.reloads();
    await checkout.works();
  }
});
