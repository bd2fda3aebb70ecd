const STORED = "cart";

/** The most that one order takes of one product. */
export const MOST = 20;

/**
 * The shopping cart: how many of each product. The tab keeps it, and it holds nothing about the
 * person.
 */
export class Cart extends EventTarget {
  /** @type {Map<string, number>} */
  #quantities = new Map();

  constructor() {
    super();
    for (const [sku, quantity] of stored()) {
      this.#quantities.set(sku, quantity);
    }
  }

  /** @param {string} sku */
  quantity(sku) {
    return this.#quantities.get(sku) ?? 0;
  }

  /**
   * Changes how many there are of a product; none takes it out.
   *
   * @param {string} sku
   * @param {number} quantity
   */
  set(sku, quantity) {
    const allowed = Math.min(Math.max(quantity, 0), MOST);
    if (allowed === 0) {
      this.#quantities.delete(sku);
    } else {
      this.#quantities.set(sku, allowed);
    }
    this.#changed();
  }

  /** Takes everything out. */
  clear() {
    this.#quantities.clear();
    this.#changed();
  }

  /**
   * Removes products that the shop does not sell any more.
   *
   * @param {Iterable<string>} sold
   */
  keepOnly(sold) {
    const known = new Set(sold);
    for (const sku of this.#quantities.keys()) {
      if (!known.has(sku)) {
        this.#quantities.delete(sku);
      }
    }
    this.#changed();
  }

  /** @returns {{ sku: string, quantity: number }[]} */
  get items() {
    return [...this.#quantities].map(([sku, quantity]) => ({ sku, quantity }));
  }

  /** How many things there are in all. */
  get count() {
    return this.items.reduce((sum, { quantity }) => sum + quantity, 0);
  }

  #changed() {
    try {
      sessionStorage.setItem(STORED, JSON.stringify([...this.#quantities]));
    } catch {
      // Without storage the page keeps the cart.
    }
    this.dispatchEvent(new Event("change"));
  }
}

/** @returns {[string, number][]} */
function stored() {
  try {
    const entries = JSON.parse(sessionStorage.getItem(STORED) ?? "[]");
    return entries.filter(
      (/** @type {unknown} */ entry) =>
        Array.isArray(entry) && typeof entry[0] === "string" &&
        Number.isInteger(entry[1]) && entry[1] > 0 && entry[1] <= MOST,
    );
  } catch {
    return [];
  }
}
