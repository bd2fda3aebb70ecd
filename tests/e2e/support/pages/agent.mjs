/** @import { Page } from "@playwright/test" */

/** The agent who takes cash for a code. */
export class Agent {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.code = page.getByLabel("Código de pago");
    this.takeButton = page.getByRole("button", { name: "Registrar pago" });
    this.paid = page.getByRole("heading", { name: "Pago realizado" });
  }

  /**
   * The payer reads a code out at the desk.
   * @param {string} address
   * @param {string} code
   */
  async open(address, code) {
    await this.page.goto(address);
    await this.code.fill(code);
    await this.page.getByRole("button", { name: "Buscar" }).click();
    await this.takeButton.waitFor();
  }

  async takePayment() {
    await this.takeButton.click();
    await this.paid.waitFor();
  }
}
