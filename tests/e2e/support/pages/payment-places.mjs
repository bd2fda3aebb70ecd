// Where payers pay a code or go to: pages of the sandbox.

/** @import { Page } from "@playwright/test" */

/** The wallet that scans a code and pays it. */
export class Phone {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.payButton = page.getByRole("button", { name: /^Pagar S\// });
    this.paid = page.getByRole("heading", { name: "Pago realizado" });
    this.cancelled = page.getByRole("heading", { name: "Este cobro fue anulado" });
  }

  /**
   * Opens the content of a code, as a camera does.
   * @param {string} content
   */
  async scan(content) {
    await this.page.goto(content);
  }

  /** @param {string} number */
  operation(number) {
    return this.page.getByRole("definition").filter({ hasText: new RegExp(`^${number}$`) });
  }

  /** @param {string} text */
  amount(text) {
    return this.page.getByText(text, { exact: true });
  }

  async pay() {
    await this.payButton.click();
    await this.paid.waitFor();
  }
}

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
