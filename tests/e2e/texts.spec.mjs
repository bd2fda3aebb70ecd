// The texts for the payer: their language, and the merchant's own wordings.

import { expect, test } from "./support/fixtures.mjs";
import { latch } from "./support/held-answers.mjs";
import { ownPage } from "./support/own-page.mjs";
import { signed } from "../support/signed-order.mjs";

/** @import { PaymentCheckout } from "../../npm/element/types/element.d.ts" */

test("in English everything is English", { tag: "@quick" }, async ({ payer }) => {
  const { checkout, page } = await payer.begins({ lang: "en" });
  await expect(checkout.timer).toHaveText(checkout.words.left);
  await payer.presses("cancel");
  await expect(checkout.question).toBeVisible();
  await expect(checkout.element).not.toContainText(/pago|anular|número|vence/i);
  await page.keyboard.press("Escape");
  await payer.pays();
  await payer.sees("paid");
  await expect(page.getByText("Thank you for your order!")).toBeVisible();
});

test("a page that changes its language takes the checkout along, and the payment stays", { tag: "@quick" }, async ({ payer, order, checkout, page }) => {
  const speak = (selector, lang) =>
    page.locator(selector).evaluate((element, lang) => element.setAttribute("lang", lang), lang);
  // The shop sets the attribute, which is nearer than any `lang`.
  const { number } = await payer.begins({ attributes: { locale: null } });
  const picture = await checkout.picture();

  await speak("html", "pt-PT");
  await checkout.in("pt").shows("qr");
  await speak("main", "en-GB");
  await checkout.in("en").shows("qr");
  await expect(checkout.element.locator("[part=stage]")).toHaveAttribute("lang", "en-GB");
  await checkout.set({ locale: "es" });
  await payer.sees("qr");
  await checkout.set({ locale: null });
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

  await payer.pays(number);
  await checkout.in("pt").shows("paid");
  expect(checkout.heardOnce("checkout-result", order)).toMatchObject({ merchantOperationNumber: number });
});

test("a language that is unknown, or written in another way, changes nothing", async ({ payer, checkout, page }) => {
  await payer.begins({ lang: "en", attributes: { locale: null } });
  await page.evaluate(() => document.documentElement.setAttribute("lang", "fr"));
  // Another change of the page, which is drawn after this one.
  await checkout.set({ "order-label": "A-77" });
  await expect(checkout.element).toContainText("A-77");
  await checkout.in("en").shows("qr");
  await checkout.set({ locale: "pt_BR" });
  await checkout.in("pt").shows("qr");
  await expect(checkout.element.locator("[part=stage]")).toHaveAttribute("lang", "pt-BR");
});

test("a page that is translated shows what is true now, and is paid", async ({ waiting: { payer, number, checkout }, context, invariants }) => {
  invariants.allows(/ERR_INTERNET_DISCONNECTED/);
  await checkout.element.evaluate(({ shadowRoot }) => {
    const root = /** @type {ShadowRoot} */ (shadowRoot);
    // As translators do, now and whenever there is a new text.
    const translate = () => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts = /** @type {Text[]} */ ([]);
      while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
      for (const text of texts.filter(({ parentElement }) => parentElement?.localName !== "font")) {
        const font = document.createElement("font");
        font.textContent = text.data;
        text.replaceWith(font);
      }
    };
    translate();
    new MutationObserver(translate).observe(root, { childList: true, characterData: true, subtree: true });
  });
  const before = await checkout.secondsLeft();
  await expect.poll(async () => before - (await checkout.secondsLeft())).toBeGreaterThanOrEqual(2);
  await context.setOffline(true);
  await expect(checkout.text("offline")).toBeVisible();
  await context.setOffline(false);
  await expect(checkout.text("waiting")).toBeVisible();
  await payer.pays(number);
  await payer.sees("paid");
});

test("a language is a file of its own, which comes beside the wasm: in Portuguese everything is Portuguese", async ({
  payer,
  order,
  page,
}) => {
  const asked = [];
  page.on("request", (request) => asked.push(...(request.url().match(/element\/(texts|messages).*/) ?? []).slice(0, 1)));
  await payer.begins();
  expect(asked).toEqual([]);
  await payer.opens({ order, lang: "pt" });
  const { checkout } = payer;
  await checkout.showsQr();
  expect(asked).toEqual(["element/texts-pt.js"]);
  await expect(checkout.timer).toHaveText(checkout.words.left);
  await payer.presses("cancel");
  await expect(checkout.question).toBeVisible();
  await expect(checkout.element).not.toContainText(/\bpago\b|anular|monto|payment|\bpay\b|expires/i);
  await page.keyboard.press("Escape");
  await payer.pays();
  await payer.sees("paid");
  await expect(page.getByText("Obrigado pela compra!")).toBeVisible();
});

test("a language that comes late waits for the next screen", async ({ payer, checkout, page }) => {
  const english = checkout.in("en");
  const { promise, resolve } = latch();
  await page.route("**/texts-en.js", async (route) => {
    await promise;
    await route.continue();
  });
  await payer.opens({ query: "&lang=en" });
  await english.works();
  // The first screen brings its texts along.
  await english.shows("choosing");
  await english.qrButton.click();
  // Nobody waits for the others.
  await payer.seesCode();
  const came = page.waitForResponse("**/texts-en.js");
  resolve();
  await (await came).finished();
  await payer.presses("cancel");
  await expect(checkout.question).toBeVisible();
  await page.keyboard.press("Escape");
  await payer.pays();
  await english.shows("paid");
});

test("without the file of its language a payer pays in Spanish", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/could not load the texts \(en\)/);
  invariants.allows(/ERR_FAILED|Failed to load/);
  await page.route("**/texts-en.js", (route) => route.abort());
  await payer.opens({ query: "&lang=en" });
  await checkout.in("en").qrButton.click();
  await payer.seesCode();
  await payer.pays();
  await payer.sees("paid");
});

test("a shop words the promise about passwords itself, or leaves it out", { tag: "@quick" }, async ({ payer, checkout }) => {
  await payer.opens();
  await checkout.works();
  const ours = checkout.element.getByText("Nunca te pediremos la clave de tu app o banco.");
  await expect(ours).toBeVisible();
  const promise = (/** @type {string} */ text) =>
    checkout.element.evaluate((element, text) => {
      /** @type {PaymentCheckout} */ (element).messages = { "trust.password": text };
    }, text);
  await promise("Tu clave es solo tuya.");
  await checkout.qrButton.click();
  await payer.seesCode();
  await expect(checkout.element.getByText("Tu clave es solo tuya.")).toBeVisible();
  await promise("");
  await expect(checkout.element.locator(".promise")).toBeHidden();
  await expect(ours).toHaveCount(0);
});

const TAG = `<payment-checkout base-url="/api" methods="QR" amount="12990" currency="PEN" order="${signed()}"></payment-checkout>`;

test("texts of a language that the element does not have bring its lang, its amounts and its mistakes", async ({
  checkout,
  page,
  invariants,
}) => {
  invariants.expects(/messages: there is no text named qr\.headin; the nearest is qr\.heading/);
  invariants.expects(/messages: qr\.ready leaves out \{amount\}/);
  const own = { "choose.one-heading": "Payez votre commande", "bill.total": "Total à payer", "qr.headin": "x", "qr.ready": "Prêt" };
  const texts = { locale: "fr", dir: "ltr", ...own };
  await ownPage(page, TAG, `checkout.messages = ${JSON.stringify(texts)};`, "fr");
  await expect(checkout.element.getByRole("heading", { name: "Payez votre commande" })).toBeVisible();
  const card = checkout.element.locator("[part=checkout]");
  await expect(card).toHaveAttribute("lang", "fr");
  await expect(card).toHaveAttribute("dir", "ltr");
  // The browser writes the amount for French: a comma, and the sign after the number.
  await expect(checkout.amount).toHaveText(/^129,90/);
  // A text that the page leaves out says in which language it is.
  await expect(checkout.element.locator('[lang="es-PE"]').first()).toBeVisible();

  // Without texts the page in an unknown language gets the language that it names.
  await checkout.element.evaluate((element) => {
    /** @type {PaymentCheckout} */ (element).messages = undefined;
    element.setAttribute("fallback-locale", "en");
  });
  await expect(checkout.in("en").heading("choosingOne")).toBeVisible();
  await checkout.in("en").qrButton.click();
  await checkout.in("en").showsQr();
  expect(checkout.heard("checkout-error")).toEqual([]);
});
