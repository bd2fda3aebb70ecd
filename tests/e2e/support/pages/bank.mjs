/** @import { Page } from "@playwright/test" */

/** The bank, where a transfer's `continue_url` leads. */
export class Bank {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.heading = page.getByRole("heading", { name: "Confirma tu transferencia" });
  }

  async arrived() {
    await this.page.waitForURL(/\/lender\//);
    await this.heading.waitFor();
  }

  async confirm() {
    await this.page.getByRole("button", { name: "Confirmar transferencia" }).click();
  }

  async decline() {
    await this.page.getByRole("button", { name: "Rechazar transferencia" }).click();
  }
}
