// An amount as the wasm writes it, for the screen that stands before the wasm is there.
//
// The browser's first formatter takes longer to make than the whole screen, so the screen is painted with an
// amount that is written like a sample of the build, and the formatter looks at it afterwards.

/** The currencies of the payment service, by number and by code. Each has two digits. @type {Record<string, string>} */
const CURRENCIES = { 604: 'PEN', 840: 'USD', PEN: 'PEN', USD: 'USD' };

/**
 * The currency's code, for an amount that can be written before the wasm is there.
 * @param {string} amount in cents @param {string} currency
 */
export const codeOf = (amount, currency) => (/^(0|[1-9]\d{0,14})$/.test(amount) ? CURRENCIES[currency.toUpperCase()] : undefined);

/** The same as a sample has 1234.56. @param {string} sample @param {string} amount in cents */
export function like(sample, amount) {
  const [, before, group, decimal, after] = sample.match(/^(.*)1(.)234(.)56(.*)$/) ?? [];
  const digits = amount.padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, group);
  return `${before}${whole}${decimal}${digits.slice(-2)}${after}`;
}

/**
 * As the browser writes it.
 * @param {string} locale one that the element speaks
 * @param {string} amount in cents
 * @param {string} currency
 */
export function written(locale, amount, currency) {
  const decimal = amount.padStart(3, '0').replace(/..$/, '.$&');
  const write = (/** @type {'symbol' | 'name'} */ currencyDisplay) => {
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currencyDisplay,
      currency: CURRENCIES[currency.toUpperCase()],
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    });
    // Fifteen digits are exact in older browsers, too, which make a number of the text.
    return format.format(/** @type {any} */ (decimal));
  };
  // Browsers know the sign of Peru's currency in Spanish only; a payer compares it with an app in any language.
  return { seen: write('symbol').replace('PEN', 'S/'), heard: write('name') };
}
