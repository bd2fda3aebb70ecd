import { find, make } from "./dom.js";
import { locale } from "./texts.js";

const NAMES = [
  "checkout-ready",
  "checkout-pending",
  "checkout-redirect",
  "checkout-status",
  "checkout-result",
  "checkout-error",
];

/** How many events stay on the page. */
const KEPT = 50;

/**
 * Lists the events that the element sends to the page, the newest first, for developers who
 * integrate it.
 *
 * @param {HTMLElement} element
 */
export function logEvents(element) {
  const list = find("events-list");
  const count = find("events-count");
  let seen = 0;
  list.replaceChildren();
  count.textContent = "0";
  for (const name of NAMES) {
    element.addEventListener(name, (event) => {
      seen += 1;
      count.textContent = String(seen);
      list.prepend(entry(/** @type {CustomEvent} */ (event)));
      list.children[KEPT]?.remove();
    });
  }
}

/** @param {CustomEvent} event */
function entry({ type, detail }) {
  const now = new Date();
  return make(
    "li",
    {},
    make("time", { dateTime: now.toISOString() }, now.toLocaleTimeString(locale, { hour12: false })),
    " ",
    make("code", {}, type),
    make("pre", { tabIndex: 0 }, detail == null ? "" : JSON.stringify(detail, null, 1)),
  );
}
