// The texts for the payer: their language, and the merchant's own wordings.

import { expect, test } from "./support/fixtures.mjs";
import { latch } from "./support/latch.mjs";

/** @import { PaymentCheckout } from "../../npm/types/element.d.ts" */

test("in English everything is English", async ({ shop, order, checkout, sandbox, page }) => {
  const english = checkout.in("en");
  await shop.openOrder(order, "&lang=en");
  await english.payByQr();
  await expect(english.timer).toHaveText(english.words.left);
  await english.button("cancel").click();
  await expect(english.question).toBeVisible();
  await expect(english.element).not.toContainText(/pago|anular|número|vence/i);
  await page.keyboard.press("Escape");
  await sandbox.drive(await order.number(), "pay");
  await english.shows("paid");
  await expect(page.getByText("Thank you for your order!")).toBeVisible();
});

test("in Portuguese everything is Portuguese", async ({ shop, order, checkout, sandbox, page }) => {
  const portuguese = checkout.in("pt");
  await shop.openOrder(order, "&lang=pt");
  await portuguese.payByQr();
  await expect(portuguese.timer).toHaveText(portuguese.words.left);
  await portuguese.button("cancel").click();
  await expect(portuguese.question).toBeVisible();
  await expect(portuguese.element).not.toContainText(/\bpago\b|anular|monto|payment|\bpay\b|expires/i);
  await page.keyboard.press("Escape");
  await sandbox.drive(await order.number(), "pay");
  await portuguese.shows("paid");
  await expect(page.getByText("Obrigado pela compra!")).toBeVisible();
});

test("what cannot be loaded is told in Portuguese too", async ({ shop, order, checkout, page, invariants }) => {
  const portuguese = checkout.in("pt");
  invariants.expects(/could not be loaded/);
  invariants.expects(/ERR_FAILED|NS_ERROR|Failed to load/i);
  await page.route("**/*.wasm", (route) => route.abort());
  await shop.openOrder(order, "&lang=pt");
  await expect(portuguese.heading("loadFailed")).toBeVisible();
  await page.unroute("**/*.wasm");
  await portuguese.button("reload").click();
  await portuguese.shows("choosing");
});

test("a page that changes its language takes the checkout along, and the payment stays", async ({
  shop,
  order,
  checkout,
  sandbox,
  page,
}) => {
  const speak = (selector, lang) =>
    page.locator(selector).evaluate((element, lang) => element.setAttribute("lang", lang), lang);
  await shop.openOrder(order);
  // The shop sets the attribute, which is nearer than any `lang`.
  await checkout.element.evaluate((element) => element.removeAttribute("locale"));
  await checkout.payByQr();
  const [number, picture] = [await order.number(), await checkout.picture()];

  await speak("html", "pt-PT");
  await checkout.in("pt").shows("qr");
  await speak("main", "en-GB");
  await checkout.in("en").shows("qr");
  await expect(checkout.element.locator("[part=stage]")).toHaveAttribute("lang", "en-GB");
  await checkout.element.evaluate((element) => element.setAttribute("locale", "es"));
  await checkout.shows("qr");
  await checkout.element.evaluate((element) => element.removeAttribute("locale"));
  await checkout.in("en").shows("qr");
  // Taken to where another language is spoken.
  await checkout.element.evaluate((element) => {
    const there = document.createElement("section");
    there.lang = "pt";
    document.querySelector("main").append(there);
    there.append(element);
  });
  await checkout.in("pt").shows("qr");
  expect(await checkout.in("pt").picture()).toBe(picture);

  await sandbox.drive(number, "pay");
  await checkout.in("pt").shows("paid");
  expect(checkout.heardOnce("checkout-result", order)).toMatchObject({ merchantOperationNumber: number });
});

test("a language is a file of its own, which comes beside the wasm", async ({ shop, order, checkout, page }) => {
  const asked = [];
  page.on("request", (request) => asked.push(...(request.url().match(/element\/(texts|messages).*/) ?? []).slice(0, 1)));
  await shop.openOrder(order);
  await checkout.payByQr();
  expect(asked).toEqual([]);
  await page.goto(`${order.path}&lang=en`);
  await checkout.in("en").showsQr();
  expect(asked).toEqual(["element/texts-en.js"]);
});

test("a language that comes late waits for the next screen", async ({ shop, order, checkout, page, sandbox }) => {
  const english = checkout.in("en");
  const { promise, resolve } = latch();
  await page.route("**/texts-en.js", async (route) => {
    await promise;
    await route.continue();
  });
  await shop.openOrder(order, "&lang=en");
  await english.works();
  // The first screen brings its texts along.
  await english.shows("choosing");
  await english.qrButton.click();
  // Nobody waits for the others.
  await checkout.showsQr();
  const came = page.waitForResponse("**/texts-en.js");
  resolve();
  await (await came).finished();
  await checkout.button("cancel").click();
  await expect(checkout.question).toBeVisible();
  await page.keyboard.press("Escape");
  await sandbox.drive(await order.number(), "pay");
  await english.shows("paid");
});

test("without the file of its language a payer pays in Spanish", async ({ shop, order, checkout, page, sandbox, invariants }) => {
  invariants.expects(/the texts \(en\) could not be loaded/);
  invariants.allows(/ERR_FAILED|Failed to load/);
  await page.route("**/texts-en.js", (route) => route.abort());
  await shop.openOrder(order, "&lang=en");
  await checkout.in("en").qrButton.click();
  await checkout.showsQr();
  await sandbox.drive(await order.number(), "pay");
  await checkout.shows("paid");
});

test("a shop words the promise about passwords itself, or leaves it out", async ({ shop, order, checkout }) => {
  await shop.openOrder(order);
  await checkout.works();
  const ours = checkout.element.getByText("Nunca te pediremos la clave de tu app o banco.");
  await expect(ours).toBeVisible();
  const promise = (/** @type {string} */ text) =>
    checkout.element.evaluate((element, text) => {
      /** @type {PaymentCheckout} */ (element).messages = { "trust.password": text };
    }, text);
  await promise("Tu clave es solo tuya.");
  await checkout.qrButton.click();
  await checkout.showsQr();
  await expect(checkout.element.getByText("Tu clave es solo tuya.")).toBeVisible();
  await promise("");
  await expect(checkout.element.locator(".promise")).toBeHidden();
  await expect(ours).toHaveCount(0);
});

test("a page hears what is wrong with its own texts, and the payer pays", async ({
  shop,
  order,
  checkout,
  page,
  invariants,
}) => {
  invariants.expects(/messages: there is no text named qr\.headin; the nearest is qr\.heading/);
  invariants.expects(/messages: qr\.ready leaves out \{amount\}/);
  await shop.openOrder(order);
  await checkout.shows("choosing");
  await checkout.element.evaluate((/** @type {PaymentCheckout} */ element) => {
    // @ts-expect-error a misspelled key
    element.messages = { "qr.headin": "x", "qr.ready": "Tu QR espera", "choose.heading": "Elige" };
  });
  await expect(checkout.element.getByRole("heading", { name: "Elige" })).toBeVisible();
  await checkout.payByQr();
  expect(checkout.heard("checkout-error", order)).toEqual([]);
  await page.reload();
  await checkout.showsQr();
});
