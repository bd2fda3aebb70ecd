import { language } from "./texts.js";

/**
 * An address of this page that keeps the language.
 *
 * @param {string | null} order the order to pay, or `null` for the shop itself
 * @returns {string}
 */
export function address(order) {
  return addressIn(language, order);
}

/**
 * @param {import("./texts.js").Language} other
 * @param {string | null} order
 * @returns {string}
 */
export function addressIn(other, order) {
  const query = new URLSearchParams();
  if (order !== null) {
    query.set("order", order);
  }
  if (other !== "es") {
    query.set("lang", other);
  }
  const text = query.toString();
  return text === "" ? "/" : `/?${text}`;
}

/**
 * The order that the address bar names.
 *
 * @returns {string | null}
 */
export function orderInAddress() {
  const order = new URLSearchParams(location.search).get("order") ?? "";
  // An attacker could use any other value to put a text on the page.
  return /^[0-9A-Za-z_-]{1,64}$/.test(order) ? order : null;
}
