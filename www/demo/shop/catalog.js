import { get } from "./server.js";

/**
 * One thing that the shop sells.
 *
 * @typedef {object} Product
 * @property {string} sku
 * @property {string} name
 * @property {string} [description]
 * @property {string | number} price in cents
 */

/** The products of the shop. */
export class Catalog {
  /** @type {Map<string, Product>} */
  #products;

  /**
   * @param {Product[]} products
   * @param {string} currency of every price
   */
  constructor(products, currency) {
    this.#products = new Map(products.map((product) => [product.sku, product]));
    this.currency = currency;
  }

  /** Asks the shop's server, which alone decides the prices. */
  static async load() {
    const { products, currency } = await get("/api/catalog");
    return new Catalog(products, currency);
  }

  /** @returns {Product[]} */
  get products() {
    return [...this.#products.values()];
  }

  /** @param {string} sku */
  product(sku) {
    return this.#products.get(sku);
  }

  /**
   * Returns the sum of the items' prices, in cents. The server decides the order's amount, not this
   * sum.
   *
   * @param {{ sku: string, quantity: number }[]} items
   * @returns {bigint}
   */
  total(items) {
    let cents = 0n;
    for (const { sku, quantity } of items) {
      cents += BigInt(this.#products.get(sku)?.price ?? 0) * BigInt(quantity);
    }
    return cents;
  }
}
