import { locale } from "./texts.js";

/**
 * An address of this page that keeps the language.
 *
 * @param {string | null} order the order to pay, or `null` for the shop itself
 * @returns {string}
 */
export function address(order) {
  return addressIn(locale, order);
}

/**
 * @param {string} language
 * @param {string | null} order
 * @returns {string}
 */
export function addressIn(language, order) {
  const query = new URLSearchParams();
  if (order !== null) {
    query.set("order", order);
  }
  if (language === "en") {
    query.set("lang", "en");
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
  // Whatever else stands there is a text that somebody wants shown.
  return /^[0-9A-Za-z_-]{1,64}$/.test(order) ? order : null;
}
