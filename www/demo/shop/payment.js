import { helpWith } from "./demo-help.js";
import { logEvents } from "./events.js";
import { arriveAt, find, make } from "./dom.js";
import { money } from "./money.js";
import { clearProblem, showProblem } from "./problem.js";
import { forgetOrder, isPaid, loadOrder, remember, rememberedOrder } from "./order.js";
import { address } from "./page-address.js";
import { Problem } from "./server.js";
import { language, locale, text } from "./texts.js";

/** The order that this tab came back to with a permission to see its payment alone. */
const RETURNED = "returned-order";

/** @typedef {import("./order.js").Order} Order */

/** The module that the page has begun to load already. */
const MODULE = "/element/payment-checkout.js";

/** The methods that the shop offers, in this order, if its server accepts them. */
const METHODS = ["QR", "INSTALLMENT", "CASHCODE", "BANK_TRANSFER"];

/** Wide enough for the products beside the payment. */
const WIDE = matchMedia("(min-width: 900px)");

/** How long the shop asks its server again about an order that the element calls paid. */
const PATIENCE = [0, 1_000, 2_000, 4_000, 8_000, 15_000];

/** The payment step of one order: the products, and the element that takes the payment. */
export class Payment {
  #id;
  #names;
  #onPaid;
  #open = true;
  /** The last outcome that the element reported. */
  #outcome = "";
  /** @type {HTMLElement | null} */
  #element = null;

  /**
   * @param {string} id the order
   * @param {(sku: string) => string} names what the products are called
   * @param {() => void} onPaid what to do when the shop's server says that it is paid
   */
  constructor(id, names, onPaid) {
    this.#id = id;
    this.#names = names;
    this.#onPaid = onPaid;
  }

  /** Shows the step. It is the same after a reload, a return and a Back. */
  open() {
    for (const place of ["thanks", "summary-lines", "checkout"]) {
      find(place).replaceChildren();
    }
    find("till").hidden = true;
    find("bought").hidden = true;
    find("summary-heading").textContent = text("summaryHeading");
    arriveAt(find("summary-heading"));
    const known = rememberedOrder();
    if (known?.order_id === this.#id) {
      // The element need not wait for the summary.
      this.#mount(known);
    }
    return this.#load();
  }

  /** Leaves the step. Taking the element out of the page cancels nothing. */
  close() {
    this.#open = false;
    this.#element?.remove();
    find("checkout").replaceChildren();
  }

  async #load() {
    const place = find("summary-problem");
    clearProblem(place);
    try {
      const order = await loadOrder(this.#id);
      if (!this.#open) {
        return;
      }
      this.#summarize(order);
      if (isPaid(order)) {
        this.#thank(order);
      } else {
        remember(order);
      }
      this.#mount(order);
    } catch (error) {
      if (this.#open) {
        this.#explain(place, error);
      }
    }
  }

  /**
   * @param {HTMLElement} place
   * @param {unknown} error
   */
  #explain(place, error) {
    const unknown = error instanceof Problem && error.status === 404;
    // The token is in the address only until the element has removed it.
    const returned = new URLSearchParams(location.search).has("checkout");
    if (returned) {
      sessionStorage.setItem(RETURNED, this.#id);
    }
    if (unknown && !returned && sessionStorage.getItem(RETURNED) !== this.#id) {
      place.replaceChildren(make("p", {}, text("orderUnknown")));
      place.hidden = false;
      return;
    }
    if (!unknown) {
      showProblem(place, error, { lead: text("orderTrouble"), retry: () => this.#load() });
    }
    // The address may carry a permission to see the payment alone, as after a return in
    // another browser; the element knows.
    this.#mount({ order_id: this.#id, amount: "", currency: "" });
  }

  /** @param {Order} order */
  #summarize({ amount, currency, items = [] }) {
    const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0);
    find("bought").hidden = false;
    // On a phone the products stay folded, since the element shows the amount too.
    /** @type {HTMLDetailsElement} */ (find("bought")).open = WIDE.matches;
    find("bought-count").textContent = pieces === 1 ? text("one") : text("many", { count: pieces });
    find("bought-amount").textContent = money(amount, currency);
    find("summary-amount").textContent = money(amount, currency);
    find("summary-lines").replaceChildren(
      ...items.map(({ sku, name, quantity, unit_price }) =>
        make(
          "li",
          { className: "line" },
          make("span", { className: "times" }, `${quantity} ×`),
          make("span", { className: "name", lang: "es-PE" }, name ?? this.#names(sku)),
          make(
            "span",
            { className: "sum" },
            unit_price === undefined ? "" : money(BigInt(unit_price) * BigInt(quantity), currency),
          ),
        ),
      ),
    );
  }

  /** @param {Order} order */
  #mount({ order_id, label = order_id, amount, currency, methods = [], operations = [] }) {
    if (this.#element !== null) {
      return;
    }
    const offered = METHODS.filter((method) => methods.includes(method));
    const element = make(/** @type {any} */ ("payment-checkout"), {
      "base-url": "/api",
      "live-url": "/api/charges/live",
      "merchant-name": "Retama y Cumbre",
      "order-label": label,
      "redirect-url": new URL(address(order_id), location.origin).href,
      wallets: "Apu, Nube",
      "help-url": `/help.html?lang=${language}&operation={number}`,
    });
    element.append(
      make("p", { className: "notice" }, text("checkoutFallback")),
      make("img", { slot: "wallets", src: "/shop/art/wallets.svg", alt: "", width: 156, height: 28 }),
      make("a", { slot: "paid", className: "button", href: address(null) }, text("back")),
    );
    element.setAttribute("locale", locale);
    if (offered.length > 0) {
      element.setAttribute("methods", offered.join(" "));
    }
    if (amount !== "") {
      element.setAttribute("amount", amount);
      element.setAttribute("currency", currency);
    }
    // The tab forgets a payment that is over; the shop's server does not.
    const ended = (/** @type {string} */ how) => operations.find(({ outcome }) => outcome === how);
    // A payer who got the money back reads that, unless another payment is under way.
    const reversed = operations.every(({ outcome }) => outcome) ? ended("reversed") : undefined;
    const known = ended("paid") ?? reversed;
    if (known?.transaction_id) {
      element.setAttribute("merchant-code", known.merchant_code);
      element.setAttribute("merchant-operation-number", known.merchant_operation_number);
      element.setAttribute("transaction-id", known.transaction_id);
    }
    element.request = { order_id };
    element.addEventListener("checkout-result", (/** @type {CustomEvent} */ event) => {
      this.#outcome = event.detail.outcome;
      if (this.#outcome === "paid") {
        this.#confirm();
      } else {
        // It may correct an earlier outcome: a payment can be given back.
        find("thanks").replaceChildren();
        document.title = text("titlePayment");
      }
    });
    logEvents(element);
    helpWith(element);
    // Without its module the content of the element stays, and nobody else would tell the shop.
    import(MODULE).catch(() => {
      const detail = { code: "load", retryable: false };
      element.dispatchEvent(new CustomEvent("checkout-error", { bubbles: true, detail }));
    });
    this.#element = element;
    find("till").hidden = false;
    find("checkout").replaceChildren(element);
  }

  /** An event of the browser is no payment: the shop believes its own server only. */
  async #confirm() {
    for (const pause of PATIENCE) {
      // Hardly ever: the shop's server knew it before the element did.
      if (pause > 0 && find("thanks").childElementCount === 0) {
        find("thanks").replaceChildren(make("p", {}, text("confirming")));
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
      const order = await loadOrder(this.#id).catch(() => null);
      if (!this.#open || this.#outcome !== "paid") {
        return;
      }
      if (order !== null && isPaid(order)) {
        this.#summarize(order);
        this.#thank(order);
        return;
      }
    }
  }

  /** @param {Order} order */
  #thank({ order_id }) {
    // A payer who waits in another tab sees it there.
    document.title = text("titlePaid");
    if (rememberedOrder()?.order_id === order_id) {
      // The first report of it in this tab; later the cart holds other things.
      forgetOrder();
      this.#onPaid();
    }
    find("thanks").replaceChildren(
      make("strong", {}, text("thanks")),
      make("p", {}, text("thanksDetail")),
    );
  }
}
