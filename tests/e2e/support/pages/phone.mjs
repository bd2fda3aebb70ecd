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
