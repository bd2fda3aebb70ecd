// The page names the apps that pay its codes, shows their marks, and puts words of its own on the element's screens.

import { expect, test } from "./support/fixtures.mjs";
import { holdWasm } from "./support/held-answers.mjs";

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
  // Without what the page itself put into the slots, at this width: the height with the slots, and without them.
  const heights = (/** @type {number} */ width) =>
    checkout.element.evaluate((element, width) => {
      for (const content of element.querySelectorAll(":scope > [slot]")) content.remove();
      element.style.width = `${width}px`;
      const slots = [...(element.shadowRoot?.querySelectorAll("slot") ?? [])];
      const height = () => element.getBoundingClientRect().height;
      const before = height();
      // The wasm draws into these nodes, so each goes back to its place.
      const places = slots.map((slot) => ({ slot, place: document.createComment("") }));
      for (const { slot, place } of places) slot.replaceWith(place);
      const without = height();
      for (const { slot, place } of places) place.replaceWith(slot);
      element.style.width = "";
      return { slots: slots.length, before, without };
    }, width);
  await payer.opens();
  await checkout.works();
  for (const step of [async () => {}, () => payer.chooses("QR")]) {
    await step();
    for (const width of [360, 900]) {
      const { slots, before, without } = await heights(width);
      expect(slots, "slots").toBeGreaterThan(0);
      expect(before, `${width} px`).toBe(without);
    }
  }
});
