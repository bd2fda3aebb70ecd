// A customer on the shop's page.

import { expect } from "@playwright/test";
import { Checkout } from "../../e2e/support/pages/checkout.mjs";

/** @import { Page } from "@playwright/test" */

export class Customer {
  /** @param {Page} page @param {import("../../e2e/support/invariants.mjs").HeardEvent[]} heard */
  constructor(page, heard) {
    this.page = page;
    this.checkout = new Checkout(page, heard, "en");
  }

  async choosesProduct() {
    await this.page.goto("/shop/");
    await expect(this.page.getByRole("heading", { name: "Woven backpack «Ñandutí»" })).toBeVisible();
    await this.page.getByRole("button", { name: "Add to cart" }).click();
  }

  /** From the cart to the payment. Returns the order's code. */
  async checksOut() {
    await expect(this.page.getByRole("heading", { name: "Your cart" })).toBeVisible();
    for (const [label, value] of Object.entries({
      "First name": "Íñigo",
      "Last name": "Núñez",
      "E-mail": "inigo@example.com",
      "Street and number": "Jr. Unión 120",
      City: "Lima",
    })) {
      await this.page.getByLabel(label).fill(value);
    }
    await this.page.getByRole("button", { name: "Continue to payment" }).click();
    const heading = this.page.getByRole("heading", { name: /^Your order \w+$/ });
    return (await heading.innerText()).replace("Your order ", "");
  }

  /** Begins a payment by QR; the order's code, and the number of the operation. */
  async getsQr() {
    await this.choosesProduct();
    const code = await this.checksOut();
    await this.checkout.payByQr();
    return { code, number: this.number() };
  }

  /** The number of the newest operation. @returns {string} */
  number() {
    return this.checkout.heard("checkout-pending").at(-1).detail.merchantOperationNumber;
  }
}
