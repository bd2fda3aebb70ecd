// An amount as the wasm writes it, for the screen that stands before the wasm is there.

/** The currencies of the payment service, by number and by code. Each has two digits. @type {Record<string, string>} */
const CURRENCIES = { 604: 'PEN', 840: 'USD', PEN: 'PEN', USD: 'USD' };

/**
 * @param {string} locale one that the element speaks
 * @param {string} amount in cents
 * @param {string} currency
 * @returns {{ seen: string, heard: string } | undefined} nothing for an amount that only the wasm can write
 */
export function written(locale, amount, currency) {
  const code = CURRENCIES[currency.toUpperCase()];
  if (!code || !/^(0|[1-9]\d{0,14})$/.test(amount)) return undefined;
  const decimal = amount.padStart(3, '0').replace(/..$/, '.$&');
  const write = (/** @type {'symbol' | 'name'} */ currencyDisplay) => {
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currencyDisplay,
      currency: code,
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    });
    // Fifteen digits are exact in older browsers, too, which make a number of the text.
    return format.format(/** @type {any} */ (decimal));
  };
  return { seen: write('symbol'), heard: write('name') };
}
