// A page without a script of its own: the tag has the signed order, and the address of the page that follows.

import { expect, test } from "./support/fixtures.mjs";
import { ownPage } from "./support/own-page.mjs";
import { signed } from "../support/signed-order.mjs";

/** @import { Page } from "@playwright/test" */
/** @import { Payer } from "./support/payer.mjs" */

/** @param {string} [attributes] @param {string} [order] */
const tag = (attributes = "", order = signed(undefined, 4500, 600, { label: "R-1042 ñ" })) =>
  `<payment-checkout base-url="/api" methods="QR" order="${order}" ${attributes}></payment-checkout>`;

/** Begins a payment and pays it on a page whose clock the test moves. @param {Payer} payer */
async function paysWhileTimeRuns(payer, focus = true) {
  const { checkout, page } = payer;
  await checkout.qrButton.click();
  await page.clock.runFor(1_000);
  await payer.seesCode();
  if (!focus) {
    await checkout.heading("qr").blur();
    // What was said of the code is over.
    await page.clock.runFor(6_000);
  }
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
  await payer.chooses("QR");
  await payer.pays();
  await payer.sees("paid");
  await expect(checkout.element.getByText("Pagaste", { exact: false }).first()).toBeVisible();
});

test("the receipt leads to the next page by itself, unless the payer uses it or the page keeps the payer", async ({
  payer,
  checkout,
  page,
  invariants,
}) => {
  invariants.expects(/docs\/diagnostics\.md#paid-url/);
  const led = () => checkout.heard("checkout-redirect").map(({ detail }) => detail.url);
  const link = checkout.element.getByRole("link", { name: "Ver mi pedido" });
  const leadsOn = checkout.element.getByText(/^En 5 segundos irás a 127\.0\.0\.1:\d+\.$/);
  const stays = checkout.element.locator("p", { hasText: "Te quedas en esta página." });
  const heading = checkout.heading("paid");
  const order = signed();
  await page.clock.install();
  await thanks(page);
  await ownPage(page, tag('paid-url="/thanks" live-url="/api/charges/live"', order));
  await paysWhileTimeRuns(payer);
  await expect(link).toHaveAttribute("href", /\/thanks$/);
  await expect(leadsOn).toBeVisible();
  await expect(heading, "the focus reads it with the heading").toHaveAccessibleName(/^¡Pago confirmado! En 5 segundos irás a/);
  const explained = page.waitForEvent("console", (message) => message.text().includes("docs/diagnostics.md#paid-url"));
  await checkout.set({ "paid-url": "javascript:alert(1)" });
  await expect(link, "an address that runs something").toHaveCount(0);
  await explained;
  await checkout.set({ "paid-url": "/thanks" });
  await checkout.receipt.click();
  await page.clock.runFor(10_000);
  expect(led(), "the payer used the receipt").toEqual([]);
  await expect(stays.first()).toBeVisible();
  await expect(leadsOn).toHaveCount(0);

  await page.evaluate(() => sessionStorage.clear());
  await payer.reloads();
  await page.clock.runFor(1_000);
  await payer.sees("paid");
  await page.clock.runFor(10_000);
  expect(led(), "it was paid before").toEqual([]);
  await expect(leadsOn.or(stays)).toHaveCount(0);

  await checkout.set({ order: signed() });
  await paysWhileTimeRuns(payer);
  await checkout.button("stay").focus();
  await page.keyboard.press("Enter");
  await expect(checkout.status).toHaveText("Te quedas en esta página.");
  await expect(heading, "its button is gone").toBeFocused();
  await page.clock.runFor(10_000);
  expect(led(), "the payer stays").toEqual([]);

  await checkout.element.evaluate((element) => {
    element.addEventListener("checkout-redirect", (event) => event.preventDefault(), { once: true });
  });
  await checkout.set({ order: signed() });
  await paysWhileTimeRuns(payer);
  await page.clock.runFor(10_000);
  expect(led(), "the page kept the payer").toHaveLength(1);
  await expect(stays.first()).toBeVisible();
  await payer.sees("paid");

  await checkout.set({ order: signed() });
  await paysWhileTimeRuns(payer, false);
  await expect(checkout.status, "it is said with the receipt").toHaveText(/^¡Pago confirmado! En 5 segundos irás a/);
  await page.clock.runFor(6_000);
  await expect(page.getByRole("heading", { name: "Gracias" })).toBeVisible();
  expect(led().at(-1)).toMatch(/\/thanks$/);
});
