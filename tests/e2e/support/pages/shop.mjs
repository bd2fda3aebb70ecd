/** @import { Page } from "@playwright/test" */
/** @import { Order } from "../order.mjs" */

/** The demo shop: the shelf, the cart, and the page of an order. */
export class Shop {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.thanks = page.getByRole("status").filter({ hasText: "¡Gracias por tu compra!" });
    this.unknown = page.getByText("No encontramos este pedido en este navegador.");
    this.payButton = page.getByRole("button", { name: "Ir a pagar" });
    this.summary = page.getByRole("region", { name: "Tu pedido" });
    this.outside = page.getByRole("link", { name: "Galería de pantallas" });
    this.payInWallet = page.getByRole("link", { name: "Pagar este QR en la billetera" });
    this.payAtAgent = page.getByRole("link", { name: "Pagar este código en el agente" });
  }

  async open() {
    await this.page.goto("/");
  }

  /**
   * The page of an order, where it is paid.
   * @param {Order} order
   */
  async openOrder(order, query = "") {
    await this.page.goto(order.path + query);
  }

  /** @param {string} product */
  async add(product) {
    await this.page.getByRole("button", { name: `Agregar ${product}` }).click();
  }

  /** @param {{ first: string, last: string, email: string }} person */
  async fillIn({ first, last, email }) {
    await this.page.getByLabel("Nombre", { exact: true }).fill(first);
    await this.page.getByLabel("Apellido").fill(last);
    await this.page.getByLabel("Correo").fill(email);
  }

  /** The order that the address names. */
  orderId() {
    return new URL(this.page.url()).searchParams.get("order");
  }

  /** The tab's stored entries whose key begins with `prefix`. */
  async stored(prefix = "") {
    return this.page.evaluate(
      (prefix) =>
        [sessionStorage, localStorage].flatMap((storage) =>
          Object.entries(storage).filter(([key]) => key.startsWith(prefix)),
        ),
      prefix,
    );
  }
}
