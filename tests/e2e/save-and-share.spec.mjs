// The payer keeps the code as a picture: saved, or shared with another app.

import { readFile } from "node:fs/promises";
import { decode } from "./support/qr-image.mjs";
import { expect, test } from "./support/fixtures.mjs";

/** Presses the link, and gives back what the browser saved. */
async function save(page, checkout) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    checkout.saveLink.click(),
  ]);
  return { name: download.suggestedFilename(), file: await readFile(await download.path()) };
}

/** The module that makes pictures, which comes after the code. */
async function equipped(page) {
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/save-and-print.js")),
  );
}

/** The bare code, as the service made it. */
async function bare(checkout) {
  return Buffer.from((await checkout.picture()).split(",")[1], "base64");
}

/** Has the page of a phone whose browser shares files, or refuses with the error that `refusal` names. */
async function sharing(page) {
  await page.addInitScript(() => {
    globalThis.shared = [];
    globalThis.refused = 0;
    navigator.canShare = ({ files }) => files.every(({ type }) => type === "image/png");
    navigator.share = async ({ files, ...more }) => {
      if (!navigator.userActivation.isActive) throw new DOMException("", "NotAllowedError");
      if (globalThis.refusal) {
        globalThis.refused += 1;
        throw new DOMException("", globalThis.refusal);
      }
      const bytes = new Uint8Array(await files[0].arrayBuffer());
      globalThis.shared.push({ name: files[0].name, bytes: [...bytes], more });
    };
  });
}

test("the saved code says what it pays, and scans, and another code is not saved yet", async ({ payer, checkout, shop, page, sandbox }) => {
  // A test cannot read the text of a picture, so it records the calls that write the text.
  await page.addInitScript(() => {
    globalThis.written = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      globalThis.written.push(text);
      return fillText.call(this, text, ...place);
    };
    navigator.canShare = () => false;
  });
  const { number } = await payer.begins();
  await equipped(page);
  // A browser that shares no files is offered to save only.
  await expect(checkout.saveLink).toBeVisible();
  await expect(checkout.button("share")).toHaveCount(0);
  const { qr_content } = await sandbox.operation(number);
  await expect(checkout.text("saved")).toBeHidden();
  const { name, file } = await save(page, checkout);
  // The browser does not show where it saved the file, so the element tells the payer where to
  // look, also by screen reader.
  await expect(checkout.text("saved")).toBeVisible();
  await expect(checkout.element.getByRole("status")).toHaveText(checkout.words.saved);

  expect(name).toBe(`${number}.png`);
  expect(decode(file)).toBe(qr_content);
  expect(file.equals(await bare(checkout))).toBe(false);
  const written = (await page.evaluate(() => globalThis.written)).join(" ");
  expect(written).toContain("Retama y Cumbre S/ 129.90");
  expect(written).toContain(`Número de operación: ${number.replace(/(....)(?=.)/g, "$1 ")}`);
  expect(written).toMatch(/Pedido R-\d+/);
  // The payer may look at the picture on another day.
  expect(written).toMatch(/Vence: \p{L}+, \d+ de \p{L}+, .* [ap]\.m\./u);

  // Nothing of the picture stays: the link leads to the bare code again.
  await expect(checkout.saveLink).toHaveAttribute("href", await checkout.picture());
  expect(JSON.stringify(await shop.stored())).not.toContain("image/png");

  // A browser that hides what was drawn saves the bare code.
  await page.evaluate(() => {
    const { getImageData } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.getImageData = function (...place) {
      const image = getImageData.apply(this, place);
      crypto.getRandomValues(image.data);
      return image;
    };
  });
  const hidden = await save(page, checkout);
  expect(hidden.name).toBe(`${number}.png`);
  expect(hidden.file.equals(await bare(checkout))).toBe(true);

  await expect(checkout.text("saved")).toBeVisible();
  await sandbox.drive(number, "decline");
  await payer.presses("newQr");
  await payer.seesCode();
  await expect(checkout.text("saved")).toBeHidden();
});

test("a phone hands the picture to another app, or saves what it cannot share, or the bare code without the module", async ({
  payer,
  checkout,
  page,
  sandbox,
  invariants,
}) => {
  invariants.expects(/ERR_FAILED/);
  await sharing(page);
  const { number } = await payer.begins();
  await equipped(page);
  await payer.presses("share");
  const shared = () => page.evaluate(() => globalThis.shared);
  await expect.poll(shared).toHaveLength(1);
  const [{ name, bytes, more }] = await shared();
  expect(name).toBe(`${number}.png`);
  expect(decode(Buffer.from(bytes))).toBe((await sandbox.operation(number)).qr_content);
  // Some apps would take a text beside it instead.
  expect(more).toEqual({});

  // The payer closes the sheet of the system: this is no failure, so nothing is saved in its place.
  await page.evaluate(() => (globalThis.refusal = "AbortError"));
  await payer.presses("share");
  await page.waitForFunction(() => globalThis.refused === 1);
  // Only saving shows where to look.
  await expect(checkout.text("saved")).toBeHidden();

  await page.evaluate(() => (globalThis.refusal = "NotAllowedError"));
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    payer.presses("share"),
  ]);
  expect(download.suggestedFilename()).toBe(`${number}.png`);
  await expect(checkout.text("saved")).toBeVisible();

  await page.route("**/element/save-and-print.js", (route) => route.abort());
  await payer.reloads();
  await payer.seesCode();
  const { file } = await save(page, checkout);
  expect(file.equals(await bare(checkout))).toBe(true);
  await expect(checkout.text("saved")).toBeVisible();
});

test("a print has the cash code and leaves the page out", async ({ payer, page }) => {
  // A printer would show the page as it is while `print` runs.
  await page.addInitScript(() => {
    globalThis.printed = [];
    globalThis.print = () => {
      const element = document.querySelector("payment-checkout");
      const marked = element.hasAttribute("data-checkout-printed");
      globalThis.printed.push({ marked, sheets: document.adoptedStyleSheets.length });
      dispatchEvent(new Event("afterprint"));
    };
  });
  await payer.begins({ method: "CASHCODE" });
  await equipped(page);
  await payer.presses("print");
  expect(await page.evaluate(() => globalThis.printed)).toEqual([{ marked: true, sheets: 1 }]);
  // A phone has said that the print is over, and prints only now.
  const sheets = () => page.evaluate(() => document.adoptedStyleSheets.length);
  expect(await sheets()).toBe(1);
  await page.keyboard.press("Tab");
  expect(await sheets()).toBe(0);
});
