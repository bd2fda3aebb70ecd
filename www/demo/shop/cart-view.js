import { art, counted } from "./product-list.js";
import { MOST } from "./cart.js";
import { find, make } from "./dom.js";
import { money } from "./money.js";
import { text } from "./texts.js";

/**
 * @typedef {import("./cart.js").Cart} Cart
 * @typedef {import("./catalog.js").Catalog} Catalog
 * @typedef {import("./catalog.js").Product} Product
 * @typedef {{ row: HTMLElement, number: HTMLElement, sum: HTMLElement, more: HTMLButtonElement }} Line
 */

/** The cart as it stands on the page: its lines, the total, and the bar that leads to it. */
export class CartView {
  #catalog;
  #cart;
  /** @type {Map<string, Line>} */
  #lines = new Map();

  #inSight = false;

  /**
   * @param {Catalog} catalog
   * @param {Cart} cart
   */
  constructor(catalog, cart) {
    this.#catalog = catalog;
    this.#cart = cart;
    cart.addEventListener("change", () => this.#show());
    new IntersectionObserver((entries) => {
      this.#inSight = entries[entries.length - 1]?.isIntersecting ?? false;
      this.#offerWay();
    }, { rootMargin: "0px 0px -96px" }).observe(find("cart"));
    this.#show();
  }

  #show() {
    const items = this.#cart.items;
    this.#drop(new Set(items.map(({ sku }) => sku)));
    for (const { sku, quantity } of items) {
      const product = this.#catalog.product(sku);
      if (product !== undefined) {
        this.#update(product, quantity);
      }
    }
    const total = money(this.#catalog.total(items), this.#catalog.currency);
    const empty = items.length === 0;
    find("cart-empty").hidden = !empty;
    find("cart-total").hidden = empty;
    find("cart-amount").textContent = total;
    find("customer").hidden = empty;
    find("bar").replaceChildren(
      make("span", {}, `${counted(this.#cart.count)} · ${total}`),
      make("strong", {}, text("bar")),
    );
    this.#offerWay();
  }

  /** The bar leads to the cart while that is out of sight. */
  #offerWay() {
    find("bar").hidden = this.#cart.count === 0 || this.#inSight;
  }

  /** @param {Set<string>} kept */
  #drop(kept) {
    for (const [sku, { row }] of this.#lines) {
      if (!kept.has(sku)) {
        const heldFocus = row.contains(document.activeElement);
        row.remove();
        this.#lines.delete(sku);
        if (heldFocus) {
          find("cart-heading").focus({ preventScroll: true });
        }
      }
    }
  }

  /**
   * @param {Product} product
   * @param {number} quantity
   */
  #update(product, quantity) {
    const line = this.#lines.get(product.sku) ?? this.#add(product);
    line.number.textContent = String(quantity);
    line.more.disabled = quantity >= MOST;
    line.sum.textContent = money(BigInt(product.price) * BigInt(quantity), this.#catalog.currency);
  }

  /** @param {Product} product */
  #add(product) {
    const { name, sku } = product;
    const number = make("output", { "aria-label": text("quantity", { name }) });
    const sum = make("strong", { className: "sum" });
    const less = this.#step("−", text("less", { name }), sku, -1);
    const more = this.#step("+", text("more", { name }), sku, 1);
    const row = make(
      "li",
      { className: "line" },
      make("img", { src: art(sku), alt: "", width: 64, height: 48 }),
      make(
        "div",
        { className: "what" },
        make("span", { className: "name", lang: "es-PE" }, name),
        make("span", { className: "each" }, text("each", { price: money(product.price, this.#catalog.currency) })),
      ),
      make("div", { className: "stepper", role: "group", "aria-label": name }, less, number, more),
      sum,
    );
    const line = { row, number, sum, more };
    this.#lines.set(sku, line);
    find("cart-lines").append(row);
    return line;
  }

  /**
   * @param {string} sign
   * @param {string} label
   * @param {string} sku
   * @param {number} by
   */
  #step(sign, label, sku, by) {
    const change = () => {
      const left = this.#cart.quantity(sku) + by;
      this.#cart.set(sku, left);
      if (left <= 0) {
        find("cart-status").textContent = text("removed", { name: this.#catalog.product(sku)?.name ?? "" });
      }
    };
    return make("button", { type: "button", "aria-label": label, onclick: change }, sign);
  }
}
