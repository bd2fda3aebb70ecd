// The server's own page of an order, in browsers without scripts and without WebAssembly.

import { expect, test } from "./support/fixtures.mjs";
import { findings } from "./support/accessibility.mjs";
import { matches } from "./support/transcript.mjs";
import { signed } from "../support/signed-order.mjs";
import { servers } from "../servers.mjs";

/** @import { Page } from "@playwright/test" */

/** Comes from a form of the shop's page, as a payer without scripts does. @param {Page} page */
async function arrive(page, token = signed()) {
  await page.route("**/shop-without-scripts", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      body: `<!doctype html><html lang="es"><meta charset="utf-8"><title>Tienda</title><link rel="icon" href="data:,">
        <form method="post" action="${servers.backend}/api/pay">
          <input type="hidden" name="order" value="${token}"><button>Pagar</button>
        </form></html>`,
    }),
  );
  await page.goto(`${servers.shop}/shop-without-scripts`);
  await page.getByRole("button", { name: "Pagar" }).click();
  await expect(page.getByRole("heading", { name: "¿Cómo quieres pagar?" })).toBeVisible();
}

/** @param {Page} page */
async function number(page) {
  const text = await page.getByText(/Número de operación/).innerText();
  return text.replace(/\D/g, "");
}

/** The page asks by itself; a payer who does not want to wait presses. @param {Page} page @param {string} heading */
async function comes(page, heading) {
  await expect(async () => {
    const check = page.getByRole("link", { name: "Consultar ahora" });
    if (await check.isVisible()) {
      await check.click();
    }
    await expect(page.getByRole("heading", { name: heading })).toBeVisible({ timeout: 500 });
  }).toPass();
}

test.use({ javaScriptEnabled: false });

// The payer walks from the shop to the server's own address.
test.beforeEach(({ invariants }) => invariants.allows(/^a request to \S+\/api\/pay/));

test("a payer without scripts pays by QR, and the page stays as the receipt", { tag: "@quick" }, async ({ page, sandbox }) => {
  await arrive(page);
  await page.getByRole("button", { name: "Con QR" }).click();
  await expect(page.getByRole("img", { name: /Código QR para pagar S\/\s129\.90/ })).toBeVisible();
  const address = page.url();
  const operation = await number(page);
  // *Back* leads to the order as it is now, and begins nothing.
  await page.goBack();
  expect(await number(page)).toBe(operation);
  const saved = page.waitForEvent("download");
  await page.getByRole("link", { name: "Guardar QR" }).click();
  expect((await saved).suggestedFilename()).toBe("qr.png");
  await sandbox.drive(operation, "pay");
  await comes(page, "¡Pago confirmado!");
  await page.goto(address);
  await expect(page.getByText(/Pagaste S\/\s129\.90/)).toBeVisible();
});

test("a payer without scripts changes the method, is asked first, and comes back from the lender to the page", async ({ page, context, sandbox }) => {
  const token = signed();
  await arrive(page, token);
  const other = await context.newPage();
  await arrive(other, token);
  await page.getByRole("button", { name: "Con QR" }).click();
  const operation = await number(page);
  await other.getByRole("button", { name: "En cuotas" }).click();
  await expect(other.getByRole("heading", { name: "Ya tienes un QR para este pedido" })).toBeVisible();
  await other.getByRole("button", { name: /Anular el anterior y pagar en cuotas/ }).click();
  const address = new URL(other.url());
  await other.getByRole("link", { name: "Ir a mi financiera" }).click();
  expect(await sandbox.state(operation)).toBe("CANCELADO");
  await other.getByRole("button", { name: "Aprobar crédito" }).click();
  await other.waitForURL((url) => url.pathname === address.pathname);
  await comes(other, "¡Pago confirmado!");
});

test("the page can be used by everybody", async ({ browser }) => {
  // The checker is a script.
  const context = await browser.newContext({ javaScriptEnabled: true, bypassCSP: true, locale: "es-PE" });
  // Its screens are checked by themselves.
  await context.route("**/api/pay/element/**", (route) => route.abort());
  const page = await context.newPage();
  await arrive(page);
  expect(await findings(page, "main")).toEqual([]);
  await page.getByRole("button", { name: "Con QR" }).click();
  expect(await findings(page, "main")).toEqual([]);
  await page.getByRole("link", { name: "Pagar de otra forma" }).click();
  expect(await findings(page, "main")).toEqual([]);
  await page.goto(`${servers.backend}/api/pay/nowhere`);
  expect(await findings(page, "main")).toEqual([]);
  await context.close();
});

/** What differs from run to run. @param {string} text */
const steady = (text) =>
  text
    .replace(/S-[0-9a-f-]{36}/g, "ORDER")
    .replace(/\/lender\/[0-9a-f]+/g, "/lender/ID")
    .replace(/\d{4} \d{4} \d{4}/g, "NUMBER")
    .replace(/\/pay\/[\w-]{22}/g, "/pay/HANDLE")
    .replace(/[a-záéíóú]+, \d+ de [a-z]+ de \d{4}, \d+:\d\d\s[ap]\.m\./g, "DATE")
    .replace(/127\.0\.0\.1:\d+/g, "HOST");

test("assistive technology is given what it gave", async ({ page, sandbox }) => {
  const seen = [];
  const keep = async (/** @type {string} */ name) => {
    seen.push(`== ${name}`, steady(await page.locator("body").ariaSnapshot()), "");
  };
  await arrive(page);
  await keep("choosing");
  await page.getByRole("button", { name: "En efectivo" }).click();
  await keep("a cash code");
  await page.getByRole("link", { name: "Pagar de otra forma" }).click();
  await keep("asking to cancel");
  await page.getByRole("button", { name: "Anular y elegir otra forma" }).click();
  await keep("choosing again");
  await page.getByRole("button", { name: "En cuotas" }).click();
  await keep("a lender");
  await page.getByRole("link", { name: "Pagar de otra forma" }).click();
  await page.getByRole("button", { name: "Anular y elegir otra forma" }).click();
  await page.getByRole("button", { name: "Con QR" }).click();
  await keep("a QR");
  await sandbox.drive(await number(page), "pay");
  await comes(page, "¡Pago confirmado!");
  await keep("the receipt");
  matches("pay-page", seen.join("\n"));
});
