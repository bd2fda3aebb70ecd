// Mistakes in what an answer offers to the payer: the amount, the code, the address to go on at.

import { bodyOf } from '../exchange.js';

/** @typedef {import('../../shared/finding.js').Finding} Finding */
/** @typedef {import('../exchange.js').Exchange} Exchange */

/** @param {Exchange | undefined} exchange @returns {Promise<any[]>} the transactions of an answer */
async function transactions(exchange) {
  const body = JSON.parse((await bodyOf(exchange)) ?? 'null');
  return body?.transaction ? [body.transaction] : (body?.operation?.transactions ?? []);
}

/** @param {Record<string, any>} options @param {Exchange | undefined} exchange @returns {Promise<Finding[]>} */
export async function findAmount({ amount, currency }, exchange) {
  const [transaction] = await transactions(exchange);
  const authorized = transaction ? `${transaction.amount} ${transaction.currency}` : 'another amount';
  return [{ code: 'amount-mismatch', is: `the page says ${amount} ${currency}, and the server authorized ${authorized} (whole cents). No code is shown. Take amount and currency of the page from your server's order` }];
}

/** @param {Exchange | undefined} exchange @returns {Promise<Finding[]>} */
export async function findPicture(exchange) {
  const [transaction] = await transactions(exchange);
  const image = transaction?.processor_response?.qr_image;
  const field = 'the field processor_response.qr_image';
  const is = !image
    ? `${field} is missing: a QR operation that waits carries the code in each answer`
    : !/^data:image\/png;base64,/.test(image)
      ? `${field} does not begin with data:image/png;base64,`
      : `${field} is not a sound PNG: it needs the signature of a PNG, at most 512 KiB, and a size that a browser can draw`;
  return [{ code: 'qr-image', is }];
}

/** @param {Record<string, any>} options @param {Exchange | undefined} exchange @returns {Promise<Finding[]>} */
export async function findContinueUrl({ redirectHosts }, exchange) {
  const [transaction] = await transactions(exchange);
  return [{ code: 'continue-url', is: `the field continue_url leads ${whereTo(transaction?.continue_url)}${redirectHosts ? `; redirect-hosts allows only ${redirectHosts} (hosts, without scheme and path)` : ''}. It has to be https, but on a loopback host` }];
}

/** The host alone: the rest may be a secret of the payer. @param {unknown} url */
function whereTo(url) {
  try {
    const { protocol, host } = new URL(String(url));
    return `to ${protocol}//${host}`;
  } catch {
    return 'to no address';
  }
}
