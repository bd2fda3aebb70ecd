import { get } from "./server.js";

/**
 * One thing that the shop sells.
 *
 * @typedef {object} Product
 * @property {string} sku
 * @property {string} name
 * @property {string} [description]
 * @property {string} price in cents
 * @property {string} currency
 */

/** What the shop sells. */
export class Catalog {
  /** @type {Map<string, Product>} */
  #products;

  /** @param {Product[]} products */
  constructor(products) {
    this.#products = new Map(products.map((product) => [product.sku, product]));
  }

  /** Asks the shop's server, which alone decides what things cost. */
  static async load() {
    return new Catalog(await get("/api/catalog"));
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
   * What these things cost together, in cents. The order's amount is the server's word, not this.
   *
   * @param {{ sku: string, quantity: number }[]} items
   * @returns {{ cents: bigint, currency: string }}
   */
  total(items) {
    let cents = 0n;
    for (const { sku, quantity } of items) {
      cents += BigInt(this.#products.get(sku)?.price ?? 0) * BigInt(quantity);
    }
    return { cents, currency: this.products[0]?.currency ?? "PEN" };
  }
}
