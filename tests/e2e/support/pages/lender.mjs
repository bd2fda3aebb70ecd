/** @import { Page } from "@playwright/test" */

/** The lender, where `continue_url` leads. */
export class Lender {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.heading = page.getByRole("heading", { name: "Elige tus cuotas" });
    this.leaveLink = page.getByRole("link", { name: "Volver a la tienda sin decidir" });
  }

  async arrived() {
    await this.page.waitForURL(/\/lender\//);
    await this.heading.waitFor();
  }

  async approve() {
    await this.page.getByRole("button", { name: "Aprobar crédito" }).click();
  }

  async decline() {
    await this.page.getByRole("button", { name: "Rechazar crédito" }).click();
  }

  async leave() {
    await this.leaveLink.click();
  }

  /** The shop's address that the lender sends payers back to. */
  async returnAddress() {
    return this.leaveLink.getAttribute("href");
  }
}
