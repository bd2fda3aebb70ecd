/**
 * The demo shop: the store and the payment step of an order are one page, and `?order=` in the
 * address decides which one shows.
 */

import { CartView } from "./cart-view.js";
import { Cart } from "./cart.js";
import { Catalog } from "./catalog.js";
import { CustomerForm } from "./customer.js";
import { arriveAt, find, make } from "./dom.js";
import { money } from "./money.js";
import { clearProblem, showProblem } from "./problem.js";
import { forgetOrder, placeOrder, rememberedOrder } from "./order.js";
import { Payment } from "./payment.js";
import { address, addressIn, orderInAddress } from "./page-address.js";
import { Problem } from "./server.js";
import { ProductList } from "./product-list.js";
import { language, others, text, translatePage } from "./texts.js";

const cart = new Cart();
const form = new CustomerForm();

/** @type {Catalog | null} */
let catalog = null;

/** @type {Payment | null} */
let payment = null;

/** @type {string | null} the order whose payment step is shown, or `null` for the store */
let shown = null;

let ordering = false;

/** Shows the page for the address. */
function show() {
  const order = orderInAddress();
  shown = order;
  payment?.close();
  payment = null;
  find("store").hidden = order !== null;
  find("payment").hidden = order === null;
  document.body.classList.toggle("paying", order !== null);
  document.title = text(order === null ? "titleStore" : "titlePayment");
  /** @type {HTMLAnchorElement} */ (find("staff")).href =
    language === "en" ? "/staff.html?lang=en" : "/staff.html";
  find("languages").replaceChildren(
    ...others.map(({ language: other, name }) =>
      make("a", { className: "quiet", href: addressIn(other, order), lang: other, hreflang: other }, name),
    ),
  );
  if (order === null) {
    showPending();
    return;
  }
  payment = new Payment(order, (sku) => catalog?.product(sku)?.name ?? sku, () => cart.clear());
  payment.open();
}

/**
 * Goes to the payment step of an order, or to the store, without loading the page again.
 *
 * @param {string | null} order
 */
function go(order) {
  history.pushState(null, "", address(order));
  show();
  if (order === null) {
    arriveAt(find("shelf-heading"));
  }
}

/** Offers to go on with an order that waits for its payment. */
function showPending() {
  const order = rememberedOrder();
  find("pending").hidden = order === null;
  if (order !== null) {
    find("pending-text").textContent = text("pending", { amount: money(order.amount, order.currency) });
    /** @type {HTMLAnchorElement} */ (find("pending-link")).href = address(order.order_id);
  }
}

async function loadCatalog() {
  const place = find("catalog-problem");
  clearProblem(place);
  try {
    const loaded = await Catalog.load();
    catalog = loaded;
    cart.keepOnly(loaded.products.map(({ sku }) => sku));
    new ProductList(loaded, cart);
    new CartView(loaded, cart);
  } catch (error) {
    find("products").removeAttribute("aria-busy");
    showProblem(place, error, { lead: text("catalogTrouble"), retry: loadCatalog });
  }
}

async function order() {
  const customer = ordering ? null : form.read();
  if (customer === null) {
    return;
  }
  const place = find("order-problem");
  clearProblem(place);
  setOrdering(true);
  try {
    const { order_id } = await placeOrder(cart.items, customer);
    go(order_id);
  } catch (error) {
    const field = error instanceof Problem ? error.field : null;
    if (field === null || !form.blame(field)) {
      showProblem(place, error);
    }
  } finally {
    setOrdering(false);
  }
}

/** @param {boolean} now */
function setOrdering(now) {
  ordering = now;
  const button = find("pay");
  button.setAttribute("aria-disabled", String(now));
  button.textContent = text(now ? "paying" : "pay");
}

/**
 * Follows a link of the shop without loading the page again, unless it is to open elsewhere.
 *
 * @param {string} id
 * @param {() => string | null} destination
 */
function followInPlace(id, destination) {
  find(id).addEventListener("click", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      go(destination());
    }
  });
}

translatePage();
for (const id of ["home", "back"]) {
  /** @type {HTMLAnchorElement} */ (find(id)).href = address(null);
  followInPlace(id, () => null);
}
followInPlace("pending-link", () => rememberedOrder()?.order_id ?? null);
find("pending-dismiss").addEventListener("click", () => {
  forgetOrder();
  showPending();
  arriveAt(find("shelf-heading"));
});
form.onSubmit(order);
window.addEventListener("popstate", () => {
  // A link within the page (#cart, #main) leads here too; the payment is left alone then.
  if (orderInAddress() !== shown) {
    show();
  }
});
show();
loadCatalog();
