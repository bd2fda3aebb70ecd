// A page with a list of methods of its own: the element shows none, and is started by the page.

import { expect, test } from "./support/fixtures.mjs";
import { ownPage } from "./support/own-page.mjs";
import { signed } from "../support/signed-order.mjs";

/** @import { Page } from "@playwright/test" */
/** @import { PaymentCheckout } from "../../npm/element/types/element.d.ts" */

/** A page whose two buttons are its choice. @param {Page} page */
async function shop(page) {
  await ownPage(
    page,
    `<button>QR</button> <button>CASHCODE</button>
     <payment-checkout hide-choice base-url="/api" methods="QR CASHCODE" order="${signed()}"></payment-checkout>`,
    `globalThis.choices = [];
     checkout.addEventListener('checkout-choose', ({ detail }) => choices.push(detail.method));
     for (const button of document.querySelectorAll('button')) {
       button.addEventListener('click', () => checkout.start(button.textContent));
     }`,
  );
}

/** @param {Page} page */
const choices = (page) => page.evaluate(() => Reflect.get(globalThis, "choices"));

/** @param {Page} page @param {string} name */
const pressed = (page, name) => page.getByRole("button", { name, exact: true }).click();

test("the page's own button starts the payment, and nothing is seen before", { tag: "@quick" }, async ({ payer, checkout, page }) => {
  await shop(page);
  await checkout.works();
  await expect(checkout.element.getByRole("button")).toHaveCount(0);
  await expect(checkout.element.getByRole("heading")).toHaveCount(0);
  await pressed(page, "QR");
  await payer.seesCode();
  await payer.pays();
  await payer.sees("paid");
  expect(await choices(page)).toEqual([]);
});

test("a press before the element works is not lost, and another method asks before it leaves that code", async ({ payer, checkout, page }) => {
  await page.route("**/*.wasm", async (route) => {
    await pressed(page, "QR");
    await route.continue();
  });
  await shop(page);
  await page.evaluate(() => customElements.whenDefined("payment-checkout"));
  await payer.seesCode();

  await pressed(page, "CASHCODE");
  await checkout.element.getByRole("alertdialog", { name: checkout.words.askAnother }).waitFor();
  await payer.presses("confirmAnother");
  await expect.poll(() => choices(page)).toEqual(["QR"]);
  await expect(checkout.element.getByText("fue anulado").first()).toBeVisible();
  await pressed(page, "CASHCODE");
  await payer.sees("cash");
});
