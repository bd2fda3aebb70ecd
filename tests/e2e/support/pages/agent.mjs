/** @import { Page } from "@playwright/test" */

/** The agent who takes cash for a code. */
export class Agent {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.takeButton = page.getByRole("button", { name: "Registrar pago" });
    this.paid = page.getByRole("heading", { name: "Pago realizado" });
  }

  /**
   * The page of one code.
   * @param {string} address
   */
  async open(address) {
    await this.page.goto(address);
    await this.takeButton.waitFor();
  }

  async takePayment() {
    await this.takeButton.click();
    await this.paid.waitFor();
  }
}
