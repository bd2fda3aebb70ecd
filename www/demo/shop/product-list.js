import { find, make } from "./dom.js";
import { money } from "./money.js";
import { text } from "./texts.js";

/** The pictures that the shop has, by the beginning of the product's code. */
const PICTURES = ["cafe", "chocolate", "chompa", "mochila", "bicicleta"];

/**
 * The picture of a product, or the shop's mark where it has none.
 *
 * @param {string} sku
 * @returns {string}
 */
export function art(sku) {
  const wanted = sku.toLowerCase();
  const name = PICTURES.find((known) => wanted.startsWith(known)) ?? "objeto";
  return `/shop/art/${name}.svg`;
}

/**
 * @typedef {import("./cart.js").Cart} Cart
 * @typedef {import("./catalog.js").Catalog} Catalog
 * @typedef {import("./catalog.js").Product} Product
 */

/** The products, each with a button that puts one into the cart. */
export class ProductList {
  #catalog;
  #cart;
  /** @type {Map<string, HTMLElement>} */
  #counts = new Map();

  /**
   * @param {Catalog} catalog
   * @param {Cart} cart
   */
  constructor(catalog, cart) {
    this.#catalog = catalog;
    this.#cart = cart;
    const list = find("products");
    list.replaceChildren(...catalog.products.map((product) => this.#card(product)));
    list.removeAttribute("aria-busy");
    cart.addEventListener("change", () => this.#count());
    this.#count();
  }

  /** @param {Product} product */
  #card(product) {
    const count = make("span", { className: "carried" });
    this.#counts.set(product.sku, count);
    const texts = make(
      "div",
      { className: "words", lang: "es-PE" },
      make("h2", {}, product.name),
      make("p", {}, product.description ?? ""),
    );
    const price = make("strong", { className: "price" }, money(product.price, this.#catalog.currency));
    const add = make(
      "button",
      {
        type: "button",
        className: "button small",
        "aria-label": text("addNamed", { name: product.name }),
        onclick: () => this.#add(product),
      },
      text("add"),
    );
    return make(
      "li",
      { className: "product" },
      make("img", { src: art(product.sku), alt: "", width: 320, height: 240 }),
      texts,
      make("div", { className: "buy" }, price, add),
      count,
    );
  }

  /** @param {Product} product */
  #add(product) {
    this.#cart.set(product.sku, this.#cart.quantity(product.sku) + 1);
    find("cart-status").textContent = text("added", {
      name: product.name,
      count: counted(this.#cart.count),
      total: money(this.#catalog.total(this.#cart.items), this.#catalog.currency),
    });
  }

  #count() {
    for (const [sku, place] of this.#counts) {
      const count = this.#cart.quantity(sku);
      place.textContent = count === 0 ? "" : text("carried", { count });
    }
  }
}

/**
 * @param {number} count
 * @returns {string} "1 product", "2 products"
 */
export function counted(count) {
  return text(count === 1 ? "one" : "many", { count });
}
