// The element on the server's own page of an order, where scripts run.

import { expect, test as base } from "./support/fixtures.mjs";
import { findings } from "./support/accessibility.mjs";
import { signed } from "../support/signed-order.mjs";
import { servers } from "../servers.mjs";

/** @import { BrowserContext, BrowserContextOptions, Fixtures, Page } from "@playwright/test" */
/** @import { PlaywrightTestArgs, PlaywrightTestOptions } from "@playwright/test" */
/** @import { PlaywrightWorkerArgs, PlaywrightWorkerOptions } from "@playwright/test" */

/**
 * What the payer saw, one entry for each change: the server's card, or a state of the element.
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
const seen = (page) => page.evaluate(() => Reflect.get(globalThis, "seen"));

/**
 * What followed the card, which a busy machine may never have drawn: the element can be there before the first frame.
 * @param {Page} page
 */
async function afterCard(page) {
  const all = await seen(page);
  return all[0] === "card" ? all.slice(1) : all;
}

/** @typedef {{ open: (options?: BrowserContextOptions) => Promise<Page> }} Own */

/** @type {Fixtures<Own, {}, PlaywrightTestArgs & PlaywrightTestOptions, PlaywrightWorkerArgs & PlaywrightWorkerOptions>} */
const fixtures = {
  /** Another browser. Each of its pages notes what is seen in each frame, and nothing may violate the policy. */
  open: async ({ browser }, use) => {
    /** @type {BrowserContext[]} */
    const contexts = [];
    /** @type {string[]} */
    const complaints = [];
    await use(async (/** @type {BrowserContextOptions} */ options = {}) => {
      const context = await browser.newContext({ locale: "es-PE", ...options });
      contexts.push(context);
      await context.exposeBinding("complain", (_, text) => complaints.push(text));
      await context.addInitScript(() => {
        const { complain } = /** @type {any} */ (globalThis);
        document.addEventListener("securitypolicyviolation", (event) => complain(`${event.violatedDirective} ${event.blockedURI}`));
        /** @type {string[]} */
        const seen = [];
        Reflect.set(globalThis, "seen", seen);
        const look = () => {
          const [card, element] = [".card", "payment-checkout"].map((name) => document.querySelector(name));
          const both = [card?.checkVisibility() && "card", element?.checkVisibility() && Reflect.get(element, "state")];
          const now = both.filter(Boolean).join(" and ") || "nothing";
          if (card && seen.at(-1) !== now) seen.push(now);
          requestAnimationFrame(look);
        };
        look();
      });
      return context.newPage();
    });
    expect(complaints).toEqual([]);
    await Promise.all(contexts.map((context) => context.close()));
  },
};

const test = base.extend(fixtures);

const WITHOUT = { javaScriptEnabled: false };

/** Opens the page of an order. @param {Page} page */
async function arrive(page, order = signed()) {
  const led = await page.request.post(`${servers.backend}/api/pay`, { form: { order }, maxRedirects: 0 });
  await page.goto(new URL(led.headers().location, servers.backend).href);
}

/** On the card. @param {Page} page */
async function number(page) {
  const text = await page.locator(".card .number").first().textContent();
  return (text ?? "").replaceAll(" ", "");
}

/** @param {Page} page */
async function numberOn(page) {
  const text = await page.locator("payment-checkout [part=number]").first().innerText();
  return text.replace(/\D/g, "");
}

test("a code that was begun without scripts is shown, paid and kept, in its place and without a flicker", async ({ open, sandbox }) => {
  const without = await open(WITHOUT);
  await arrive(without);
  await without.getByRole("button", { name: "Con QR" }).click();
  const operation = await number(without);

  const page = await open();
  await page.goto(without.url());
  const element = page.locator("payment-checkout");
  await expect(element.getByRole("img", { name: /Código QR para pagar/ })).toBeVisible();
  expect(await numberOn(page)).toBe(operation);
  expect(await findings(page, "main")).toEqual([]);
  await sandbox.drive(operation, "pay");
  await expect(element.getByRole("heading", { name: "¡Pago confirmado!", level: 1 })).toBeVisible();
  await expect.poll(() => afterCard(page)).toEqual(["pending", "paid"]);

  // From now on the page is the receipt, drawn by the server.
  await page.reload();
  await expect(page.locator(".card").getByRole("heading", { name: "¡Pago confirmado!" })).toBeVisible();
  await expect(element).toHaveCount(0);
  expect(await number(page)).toBe(operation);
});

test("what begins on the element goes on without scripts", { tag: "@quick" }, async ({ open, sandbox }) => {
  const token = signed();
  const page = await open();
  await arrive(page, token);
  const element = page.locator("payment-checkout");
  await expect(element.getByRole("button", { name: /Con QR/ })).toBeVisible();
  await element.getByRole("button", { name: /Con QR/ }).click();
  await expect(element.getByRole("img", { name: /Código QR/ })).toBeVisible();
  const operation = await numberOn(page);
  expect((await afterCard(page)).slice(0, 1)).toEqual(["choosing"]);

  const without = await open(WITHOUT);
  await without.goto(page.url());
  expect(await number(without)).toBe(operation);
  await page.reload();
  await expect(element.getByRole("img", { name: /Código QR/ })).toBeVisible();
  expect(await numberOn(page)).toBe(operation);
  await expect.poll(() => afterCard(page)).toEqual(["pending"]);
  await sandbox.drive(operation, "pay");
  await expect(element.getByRole("heading", { name: "¡Pago confirmado!" })).toBeVisible();
});

test("an element that stops for good gives its place back to the card, which pays", async ({ open, sandbox }) => {
  const page = await open();
  await arrive(page);
  const element = page.locator("payment-checkout");
  await element.getByRole("button", { name: /Con QR/ }).click();
  await expect(element.getByRole("img", { name: /Código QR/ })).toBeVisible();
  const operation = await numberOn(page);
  const stop = async () => {
    // At once: the element draws for itself each second.
    await element.getByRole("button", { name: "Anular pago", exact: true }).evaluate((/** @type {HTMLElement} */ button) => {
      Node.prototype.insertBefore = () => {
        throw new TypeError("the page broke this");
      };
      button.click();
    });
  };
  await stop();
  await element.getByRole("button", { name: "Recargar la página" }).click();
  await expect(element.getByRole("img", { name: /Código QR/ })).toBeVisible();
  await stop();
  await expect(page.locator(".card")).toBeVisible();
  await expect(page.locator(".card").getByRole("img", { name: /Código QR/ })).toBeVisible();
  await sandbox.drive(operation, "pay");
  await page.locator(".card").getByRole("link", { name: "Consultar ahora" }).click();
  await expect(page.getByRole("heading", { name: "¡Pago confirmado!" })).toBeVisible();
});

test("an element whose script or wasm does not come leaves the card as it is", async ({ open, sandbox }) => {
  for (const missing of ["**/element/payment-checkout.js", "**/*.wasm"]) {
    const page = await open();
    await page.context().route(missing, (route) => route.abort());
    await arrive(page);
    await page.getByRole("button", { name: "Con QR" }).click();
    const card = page.locator(".card");
    await expect(card.getByRole("img", { name: /Código QR/ }), missing).toBeVisible();
    await sandbox.drive(await number(page), "pay");
    await expect(async () => {
      await page.getByRole("link", { name: "Consultar ahora" }).click();
      await expect(page.getByRole("heading", { name: "¡Pago confirmado!" })).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect.poll(() => seen(page), missing).toEqual(["card"]);
  }
});

test("without WebAssembly the card stays and asks by itself, and an element of the shop leads to it", async ({ open, sandbox }) => {
  const page = await open();
  await page.context().addInitScript(() => Reflect.deleteProperty(globalThis, "WebAssembly"));
  await page.clock.install();
  await arrive(page);

  const shop = await page.context().newPage();
  await shop.route("**/with-page-url", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      body: `<!doctype html><html lang="es"><meta charset="utf-8"><title>Tienda</title><link rel="icon" href="data:,">
        <payment-checkout base-url="/api" page-url="${page.url()}"></payment-checkout>
        <script type="module" src="/element/payment-checkout.js"></script></html>`,
    }),
  );
  await shop.goto(`${servers.shop}/with-page-url`);
  await shop.getByRole("link", { name: "Pagar en otra página" }).click();
  await expect(shop.getByRole("heading", { name: "¿Cómo quieres pagar?" })).toBeVisible();

  await page.getByRole("button", { name: "Con QR" }).click();
  await expect(page.locator(".card").getByRole("img", { name: /Código QR/ })).toBeVisible();
  await expect(page.locator("payment-checkout")).toBeHidden();
  await sandbox.drive(await number(page), "pay");
  await expect(async () => {
    await page.clock.runFor(15_000);
    await expect(page.getByRole("heading", { name: "¡Pago confirmado!" })).toBeVisible({ timeout: 1000 });
  }).toPass();
});
