// An amount as the wasm writes it, for the screen before the wasm is there.
//
// The first formatter of a browser takes longer to make than the whole screen. So the screen is painted with an amount
// that is written like a sample of the build, and the formatter corrects it afterwards.

import { CURRENCIES } from './printed/first-screen.ts';

/** The code of a currency, if an amount in cents can be written before the wasm is there. */
export const codeOf = (amount: string, currency: string) =>
  /^(0|[1-9]\d{0,14})$/.test(amount) ? CURRENCIES[currency.toUpperCase()] : undefined;

/** Formats an amount in cents with the separators of `sample`, which shows 1234.56. */
export function like(sample: string, amount: string) {
  const [, before, group, decimal, after] = sample.match(/^(.*)1(.)234(.)56(.*)$/) ?? [];
  const digits = amount.padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, group);
  return `${before}${whole}${decimal}${digits.slice(-2)}${after}`;
}

/** An amount in cents as the browser writes it, to be seen and to be heard. The element has to speak the locale. */
export function written(locale: string, amount: string, currency: string) {
  const decimal = amount.padStart(3, '0').replace(/..$/, '.$&');
  const write = (currencyDisplay: 'symbol' | 'name') => {
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currencyDisplay,
      currency: CURRENCIES[currency.toUpperCase()],
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    });
    // A text keeps every digit. Older browsers make a number of it, in which fifteen digits are exact.
    return format.format(decimal as unknown as number);
  };
  // Browsers know the sign of Peru's currency only in Spanish. A payer compares it with an app in any language.
  return { seen: write('symbol').replace('PEN', 'S/'), heard: write('name') };
}
