import { locale } from "./texts.js";

/** Numeric currency codes of ISO 4217 that this shop may meet. */
const ALPHABETIC = new Map([["604", "PEN"], ["840", "USD"], ["986", "BRL"]]);

/**
 * An amount in cents as people of the page's language write it.
 *
 * @param {string | number | bigint} cents
 * @param {string} currency an ISO 4217 code, of letters or of digits
 * @returns {string}
 */
export function money(cents, currency) {
  const code = ALPHABETIC.get(currency) ?? currency;
  const text = String(cents);
  if (!/^\d+$/.test(text) || !/^[A-Z]{3}$/.test(code)) {
    return `${text} ${code}`;
  }
  // As a decimal text, so that no amount is ever rounded.
  const padded = text.padStart(3, "0");
  const decimal = `${padded.slice(0, -2)}.${padded.slice(-2)}`;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: code,
  })
    .format(/** @type {any} */ (decimal))
    // Browsers know this sign in Spanish only; apps in Peru write it in every language.
    .replace("PEN", "S/");
}
