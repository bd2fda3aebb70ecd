// Reports mistakes in the attributes of an element to developers, in the console. A payer never
// sees these messages: settings that cannot work lead to an error screen.

import { diagnose } from '../shared/diagnosis.js';

const METHODS = ['QR', 'INSTALLMENT', 'CASHCODE', 'BANK_TRANSFER', 'CARD', 'WALLET'];

/**
 * @param {Record<string, any>} options the attributes, by their property names
 * @returns {string[]} a sentence for each mistake
 */
function mistakes({ baseUrl, authorizeUrl, statusUrl, cancelUrl, amount, currency, methods, request }) {
  const found = [];
  if (!baseUrl && !(authorizeUrl && statusUrl && cancelUrl)) {
    found.push('base-url is missing: it says where your server answers, as in base-url="/api"');
  } else if (!isAddress(baseUrl || '/')) {
    found.push(`base-url is not an address: ${baseUrl}`);
  }
  if (amount && !/^\d+$/.test(amount)) found.push(`amount is not in whole cents ("12990" is 129.90): ${amount}`);
  if (Boolean(amount) !== Boolean(currency)) found.push('amount and currency go together; one of them is missing');
  for (const method of methods?.split(/\s+/).filter(Boolean) ?? []) {
    if (!METHODS.includes(method)) found.push(`methods names no method that is known: ${method} (known: ${METHODS.join(' ')})`);
  }
  if (request !== undefined && request !== null && (typeof request !== 'object' || Array.isArray(request))) {
    found.push('the property request is not an object, as in { order_id: "1001" }');
  }
  return found;
}

/** Browsers of 2023 have no `URL.canParse`. @param {string} text */
function isAddress(text) {
  try {
    return Boolean(new URL(text, document.baseURI));
  } catch {
    return false;
  }
}

/**
 * Reports that the server may have lost the payer's session, since browsers keep no cookies for a site
 * that is not the page's own. The last two labels of a name stand for its site: good enough for a hint.
 * @param {string} baseUrl
 * @param {Set<string>} told
 */
export function complainOfOtherSite(baseUrl, told) {
  diagnose('error', () => {
    const site = (/** @type {string} */ host) => host.split('.').slice(-2).join('.');
    const { hostname } = new URL(baseUrl, document.baseURI);
    if (told.has(hostname) || site(hostname) === site(location.hostname)) return [];
    told.add(hostname);
    return [`payment-checkout: ${hostname} is another site than this page; browsers without third-party cookies lose the payer's session there. Let your server answer under the site of the page`];
  });
}

/**
 * Reports each mistake once.
 * @param {Record<string, any>} options
 * @param {Set<string>} told the ones told before
 */
export function complain(options, told) {
  diagnose('error', () => {
    for (const mistake of mistakes(options).filter((mistake) => !told.has(mistake))) {
      told.add(mistake);
      diagnose('error', () => [`payment-checkout: ${mistake}`]);
    }
    return [];
  });
}
