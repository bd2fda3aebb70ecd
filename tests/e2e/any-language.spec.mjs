// Languages that the element does not have.

import { expect, test } from "./support/fixtures.mjs";
import { ownPage } from "./support/own-page.mjs";
import { signed } from "./support/signed-order.mjs";

const TAG = `<payment-checkout base-url="/api" methods="QR" amount="12990" currency="PEN" order="${signed()}"`;

test("texts with a language of their own have its lang and its amounts", async ({ checkout, page, invariants }) => {
  invariants.allows(/leaves out/);
  const texts = { locale: "fr", dir: "ltr", "choose.one-heading": "Payez votre commande", "bill.total": "Total à payer" };
  await ownPage(page, `${TAG}></payment-checkout>`, `checkout.messages = ${JSON.stringify(texts)};`, "fr");
  const heading = checkout.element.getByRole("heading", { name: "Payez votre commande" });
  await expect(heading).toBeVisible();
  const card = checkout.element.locator("[part=checkout]");
  await expect(card).toHaveAttribute("lang", "fr");
  await expect(card).toHaveAttribute("dir", "ltr");
  // The browser writes the amount for French: a comma, and the sign after the number.
  await expect(checkout.amount).toHaveText(/^129,90/);
  // A text that the page leaves out says in which language it is.
  await expect(checkout.element.locator('[lang="es-PE"]').first()).toBeVisible();
});

test("a page in an unknown language gets the language that it names", async ({ checkout, page }) => {
  await ownPage(page, `${TAG} fallback-locale="en"></payment-checkout>`, "", "fr");
  await expect(checkout.element.getByRole("heading", { name: "Pay your order" })).toBeVisible();
  await checkout.works();
  await expect(checkout.element.getByRole("heading", { name: "Pay your order" })).toBeVisible();
});
