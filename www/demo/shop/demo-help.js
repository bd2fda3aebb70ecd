import { find, make } from "./dom.js";
import { sandbox } from "./sandbox-address.js";
import { language, text } from "./texts.js";

/** @typedef {import("./texts.js").TextKey} TextKey */

/** Before, during and after a payment: what a visitor of the demo can do next, and nothing else. */

/** What a visitor does while an operation of this method waits. @type {Record<string, TextKey>} */
const STEPS = {
  QR: "demoQr",
  INSTALLMENT: "demoLender",
  CASHCODE: "demoCash",
  BANK_TRANSFER: "demoBank",
};

/** The page of the sandbox that pays such an operation, by its number. The others lead there by themselves. */
/** @type {Record<string, { page: (number: string) => string, label: TextKey }>} */
const PAYS = {
  QR: { page: (number) => `/phone/${number}`, label: "demoPayQr" },
  CASHCODE: { page: (number) => `/agent/${number}`, label: "demoPayCash" },
};

/**
 * Shows the next step of the demo beside the payment of this element.
 *
 * @param {HTMLElement} element
 */
export function helpWith(element) {
  show("demoChoose");
  element.addEventListener("checkout-pending", (event) => {
    const { method, merchantOperationNumber: number } = /** @type {CustomEvent} */ (event).detail;
    const pays = PAYS[method];
    const links = pays ? [link(sandboxPage(pays.page(number)), pays.label, "button small")] : [];
    show(STEPS[method] ?? "demoOther", ...links);
  });
  element.addEventListener("checkout-result", (event) => {
    const paid = /** @type {CustomEvent} */ (event).detail.outcome === "paid";
    show(paid ? "demoPaid" : "demoEnded", ...aftermath());
  });
  element.addEventListener("checkout-state", (event) => {
    if (/** @type {CustomEvent} */ (event).detail.state === "choosing") {
      show("demoChoose");
    }
  });
}

/** Where the shop's own people see what happened. */
function aftermath() {
  const staff = language === "en" ? "/staff.html?lang=en" : "/staff.html";
  return [link(receiver(), "demoReceiver", "button small outline"), link(staff, "demoStaff", "button small outline")];
}

/**
 * @param {TextKey} step
 * @param {...HTMLElement} links
 */
function show(step, ...links) {
  find("demo-step").textContent = text(step);
  find("demo-links").replaceChildren(...links);
  // On a phone the one thing to press stays in sight.
  find("demo-links").classList.toggle("pays", links.length === 1);
}

/**
 * @param {string} href
 * @param {TextKey} label
 * @param {string} className
 */
function link(href, label, className) {
  return make("a", { href, className, target: "_blank", rel: "noopener noreferrer" }, text(label));
}

/**
 * A page of the sandbox, in the shop's language as far as the sandbox speaks it.
 *
 * @param {string} page its path
 */
function sandboxPage(page) {
  const url = new URL(page, sandbox());
  if (language === "en") {
    url.searchParams.set("lang", "en");
  }
  return url.href;
}

/** The page of the program that takes the server's events; it listens one port above the sandbox. */
function receiver() {
  const url = new URL("/", sandbox());
  url.port = String(Number(url.port) + 1);
  return url.href;
}
