// A page without a script of its own: the tag has the signed order, and the address of the page that follows.

import { expect, test } from "./support/fixtures.mjs";
import { ownPage } from "./support/own-page.mjs";
import { signed } from "./support/signed-order.mjs";

/** @import { Page } from "@playwright/test" */
/** @import { Payer } from "./support/payer.mjs" */

/** @param {string} [attributes] @param {string} [order] */
const tag = (attributes = "", order = signed(undefined, 4500, 600, { label: "R-1042 ñ" })) =>
  `<payment-checkout base-url="/api" methods="QR" order="${order}" ${attributes}></payment-checkout>`;

/** Begins a payment, and pays it. @param {Payer} payer */
async function paid(payer) {
  await payer.chooses("QR");
  await payer.pays();
  await payer.sees("paid");
}

/** Begins a payment and pays it on a page whose clock the test moves. @param {Payer} payer */
async function paysWhileTimeRuns(payer) {
  const { checkout, page } = payer;
  await checkout.qrButton.click();
  await page.clock.runFor(1_000);
  await payer.seesCode();
  await payer.pays();
  await page.clock.runFor(4_000);
  await payer.sees("paid");
}

/** A page to come to. @param {Page} page */
const thanks = (page) =>
  page.route("**/thanks", (route) =>
    route.fulfill({ contentType: "text/html", body: '<!doctype html><title>Gracias</title><link rel="icon" href="data:,"><h1>Gracias</h1>' }),
  );

test("amount and name of the order are shown at once, and the order is paid", { tag: "@quick" }, async ({ payer, checkout, page }) => {
  await page.route("**/*.wasm", async (route) => {
    // Before the wasm is there.
    await expect(checkout.amount).toHaveText(/45\.00/);
    await expect(checkout.element.getByText("Pedido R-1042 ñ")).toBeVisible();
    await route.continue();
  });
  await ownPage(page, tag());
  await paid(payer);
  await expect(checkout.element.getByText("Pagaste", { exact: false }).first()).toBeVisible();
});

test("attributes win over what the order says", async ({ payer, checkout, page, invariants }) => {
  invariants.allows(/docs\/diagnostics\.md#amount-mismatch/);
  await ownPage(page, tag('amount="4600" currency="PEN" order-label="1042"'));
  await checkout.works();
  await expect(checkout.amount).toHaveText(/46\.00/);
  await expect(checkout.element.getByText("Pedido 1042")).toBeVisible();
  // The server names another amount.
  await checkout.qrButton.click();
  await payer.sees("amountMismatch");
});

test("the receipt leads to the next page, by a press or by itself", async ({ payer, checkout, page }) => {
  await page.clock.install();
  await thanks(page);
  await ownPage(page, tag('paid-url="/thanks"'));
  await paysWhileTimeRuns(payer);
  await expect(checkout.element.getByRole("link", { name: "Ver mi pedido" })).toHaveAttribute("href", /\/thanks$/);
  await page.clock.runFor(6_000);
  await expect(page.getByRole("heading", { name: "Gracias" })).toBeVisible();
  expect(checkout.heard("checkout-redirect").at(-1).detail.url).toMatch(/\/thanks$/);
});

test("a page may keep the payer, and a payer who uses the receipt stays", async ({ payer, checkout, page }) => {
  await page.clock.install();
  await ownPage(page, tag('paid-url="/thanks"'), "checkout.addEventListener('checkout-redirect', (event) => event.preventDefault());");
  await paysWhileTimeRuns(payer);
  await page.clock.runFor(10_000);
  expect(checkout.heard("checkout-redirect")).toHaveLength(1);
  await payer.sees("paid");
});

test("a payer who presses something on the receipt is not led away", async ({ payer, checkout, page }) => {
  await page.clock.install();
  await ownPage(page, tag('paid-url="/thanks"'));
  await paysWhileTimeRuns(payer);
  await checkout.receipt.click();
  await page.clock.runFor(10_000);
  expect(checkout.heard("checkout-redirect")).toEqual([]);
});

test("a payment that was made before is not led on, and no page follows itself", async ({ payer, checkout, page, device }) => {
  const order = signed();
  await ownPage(page, tag('paid-url="/own-page#paid"', order));
  await page.clock.install();
  await paysWhileTimeRuns(payer);
  await page.clock.runFor(10_000);
  expect(checkout.heard("checkout-redirect")).toEqual([]);

  const second = await device();
  await ownPage(second.page, tag('paid-url="/thanks" live-url="/api/charges/live"', order));
  await second.sees("paid");
  await second.page.clock.install();
  await second.page.clock.runFor(10_000);
  expect(second.checkout.heard("checkout-redirect")).toEqual([]);
});

test("an address that runs something is no link", async ({ payer, checkout, page, invariants }) => {
  invariants.expects(/docs\/diagnostics\.md#paid-url/);
  await ownPage(page, tag('paid-url="javascript:alert(1)"'));
  await paid(payer);
  await expect(checkout.element.getByRole("link", { name: "Ver mi pedido" })).toHaveCount(0);
});
