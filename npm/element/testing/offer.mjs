// Which methods an order can be paid by.

/** @import { OfferedMethod } from '../types/attributes.js' */
/** @import { TestOffer, TestRefusedMethod, TestServerOptions } from '../types/testing.js' */
/** @typedef {Pick<Required<TestServerOptions>, 'amount' | 'currency' | 'limits' | 'methods' | 'orderMethods'>} Offering */

/**
 * Why an order cannot be paid by a method; nothing where it can.
 * @param {Offering} offering @param {OfferedMethod} method @returns {TestRefusedMethod | undefined}
 */
export function whyNot({ amount, currency, limits, methods, orderMethods }, method) {
  const text = (/** @type {number | string | undefined} */ bound) => (bound === undefined ? null : String(bound));
  const refusal = (/** @type {TestRefusedMethod['reason']} */ reason, { least, most } = NO_LIMITS) => {
    return { method, reason, least: text(least), most: text(most) };
  };
  if (!methods.includes(method)) return refusal('setting');
  if (!orderMethods.includes(method)) return refusal('order');
  const bounds = limits[method] ? limits[method][currency] : NO_LIMITS;
  if (!bounds) return refusal('currency');
  if (bounds.least !== undefined && BigInt(amount) < BigInt(bounds.least)) return refusal('below-least', bounds);
  if (bounds.most !== undefined && BigInt(amount) > BigInt(bounds.most)) return refusal('above-most', bounds);
  return undefined;
}

/** @type {{ least?: number | string, most?: number | string }} */
const NO_LIMITS = {};

/** What an order can be paid by, and what it cannot, of the methods that the server has. @returns {TestOffer} */
export function offerOf(/** @type {Offering} */ offering) {
  const { currency, methods } = offering;
  return {
    currency,
    methods: methods.filter((method) => !whyNot(offering, method)),
    notOffered: methods.flatMap((method) => whyNot(offering, method) ?? []),
  };
}
