// A paid screen is a receipt: rows that the payer saves, shares and prints.

import { readFile } from "node:fs/promises";
import { PNG } from "pngjs";
import { expect, test } from "./support/fixtures.mjs";

/** @import { Locator, Page } from "@playwright/test" */

/** A test cannot read the text of a picture, so it records the calls that write the text. @param {Page} page */
async function recordWriting(page) {
  await page.addInitScript(() => {
    /** @type {string[]} */
    const written = [];
    Object.assign(globalThis, { written });
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      written.push(text);
      return fillText.call(this, text, ...place);
    };
  });
}

/** @param {Page} page */
const written = (page) => page.evaluate(() => Reflect.get(globalThis, "written").join(" "));

/** What the browser saves at a press. @param {Page} page @param {Locator} link */
async function save(page, link) {
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return { name: download.suggestedFilename(), file: await readFile(await download.path()) };
}

/** The names and values of the rows. @param {Locator} receipt */
const rows = (receipt) =>
  receipt.locator("dt").evaluateAll((names) =>
    Object.fromEntries(
      names.map((name) => {
        const value = /** @type {Element} */ (name.nextElementSibling);
        const seen = value.querySelector("[aria-hidden]") ?? value;
        return [name.textContent, seen.textContent?.replaceAll("\u{a0}", " ")];
      }),
    ),
  );

test("it has what was paid, to whom, when and how, and the number; its date is the server's after a reload too", async ({
  payer,
  order,
  checkout,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { number } = await payer.begins();
  await payer.presses("copyNumber");
  await expect(checkout.button("copyNumber")).toHaveText("Copiado");
  await payer.pays();
  await payer.sees("paid");
  // Nothing was copied from this screen yet.
  await expect(checkout.button("copyNumber")).toHaveText("Copiar");
  const told = await rows(checkout.receipt);
  expect(Object.keys(told)).toEqual(["Monto", "Pagado a", "Fecha", "Método", "Referencia", "Número de operación"]);
  expect(told).toMatchObject({
    Monto: "S/ 129.90",
    "Pagado a": "Retama y Cumbre",
    Método: "Código QR",
    Referencia: expect.stringMatching(/^Pedido R-\d+$/),
    "Número de operación": number,
  });
  // In words, and by no clock of the browser's.
  expect(told.Fecha).toMatch(/^\p{L}+,? \d+ de \p{L}+ de \d{4}, \d+:\d\d [ap]\.m\.$/u);
  await payer.presses("copyNumber");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(number);

  // A day later, on a device that is a year ahead.
  await page.clock.setFixedTime(Date.now() + 366 * 86_400_000);
  await page.goto(`${order.path}&again`);
  await payer.sees("paid");
  expect((await rows(checkout.receipt)).Fecha).toBe(told.Fecha);
});

test("it is saved as a picture with its rows, shared, printed, and saved as text where no picture can be made", async ({
  payer,
  checkout,
  page,
}) => {
  await recordWriting(page);
  await page.addInitScript(() => {
    /** @type {object[]} */
    const shared = [];
    /** @type {boolean[]} */
    const printed = [];
    Object.assign(globalThis, { shared, printed });
    navigator.canShare = () => true;
    navigator.share = async ({ files = [] } = {}) => void shared.push({ name: files[0].name, type: files[0].type });
    globalThis.print = () => {
      printed.push(Boolean(document.querySelector("payment-checkout")?.hasAttribute("data-checkout-printed")));
      dispatchEvent(new Event("afterprint"));
    };
  });
  const { number } = await payer.begins();
  await payer.pays();
  await payer.sees("paid");
  const href = await checkout.receiptLink.getAttribute("href");
  const { name, file } = await save(page, checkout.receiptLink);
  expect(name).toBe(`${number}.png`);
  expect(PNG.sync.read(file).width).toBeGreaterThan(700);
  const text = await written(page);
  const label = `Pedido ${await checkout.element.getAttribute("order-label")}`;
  for (const part of ["Constancia de pago", "S/ 129.90", "Pagado a", "Retama y Cumbre", "Código QR", label, number.replace(/(....)(?=.)/g, "$1 ")]) {
    expect(text.replace(/ +/g, " ")).toContain(part);
  }
  await expect(checkout.text("receiptSaved")).toBeVisible();
  await expect(checkout.element.getByRole("status")).toHaveText(checkout.words.receiptSaved);
  // Nothing of the picture stays.
  await expect(checkout.receiptLink).toHaveAttribute("href", String(href));
  await expect(checkout.receiptLink).toHaveAttribute("download", `${number}.txt`);

  await payer.presses("share");
  await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, "shared"))).toEqual([{ name: `${number}.png`, type: "image/png" }]);
  // `checkout-action` reports that a code was saved or shared; a receipt has no such event.
  expect(checkout.heard("checkout-action").map(({ detail }) => detail.action)).toEqual(["method-chosen"]);

  await page.evaluate(() => {
    CanvasRenderingContext2D.prototype.fillText = () => {
      throw new Error("no canvas");
    };
  });
  const bare = await save(page, checkout.receiptLink);
  expect(bare.name).toBe(`${number}.txt`);
  expect(bare.file.toString()).toContain(`Referencia\t${label}`);

  await payer.presses("print");
  expect(await page.evaluate(() => Reflect.get(globalThis, "printed"))).toEqual([true]);
  await page.emulateMedia({ media: "print" });
  await expect(checkout.receipt).toBeVisible();
  await expect(checkout.receiptLink).toBeHidden();
});
