// Brings a server to ask the service, which it does in its own time.

import { expect, expectOpen, pause, skip } from '../expectations.mjs';

/** How long the server may take for what it has learned. */
const LEARNS_MS = 150;

/** @typedef {import('../shop.mjs').Shop} Shop */
/** @typedef {import('../payer.mjs').Payer} Payer */
/** @typedef {import('../payer.mjs').Operation} Operation */

/**
 * Asks, and calls the address for notifications with a lie, until the server has asked the service. Nobody reads an end
 * before or after that.
 * @param {Shop} shop @param {Payer} payer @param {Operation} operation
 * @param {string} because why there is no end
 * @param {{lie?: string, alone?: boolean}} [how] the state in the notifications; whether the payer asks alone, if that does it
 */
export async function expectOpenOnceAsked(shop, payer, operation, because, { lie = 'AUTORIZADO', alone = false } = {}) {
  const mark = await shop.sandbox.mark();
  const began = performance.now();
  const end = began + shop.timeoutMs;
  const aloneUntil = alone ? began + shop.timeoutMs / 2 : began;
  for (;;) {
    if (performance.now() >= aloneUntil) await notify(shop, operation, lie);
    expectOpen(await payer.status(operation), because);
    const entries = await shop.sandbox.since(mark);
    const isOwn = (/** @type {import('../sandbox.mjs').Entry} */ entry) => entry.merchant_operation_number === operation.number;
    if (entries.some((entry) => entry.method === 'GET' && isOwn(entry))) break;
    if (performance.now() > end) skip('your server asked the service about the operation neither for its payer nor after a notification');
    await pause(LEARNS_MS, shop.signal);
  }
  await pause(LEARNS_MS, shop.signal);
  expectOpen(await payer.status(operation), because);
}

/** The service was asked for no new operation since the mark. @param {Shop} shop @param {number} mark @param {string} when */
export async function expectNoAuthorization(shop, mark, when) {
  const sent = await shop.sandbox.authorizations(mark);
  const numbers = sent.map((entry) => entry.merchant_operation_number ?? 'no number').join(' and ');
  expect(sent.length === 0, `no authorization at the service ${when}`, `an authorization of ${numbers}`);
}

/**
 * Calls an address for notifications, and returns the status of the answer.
 * @param {Shop} shop @param {string} address @param {object} body
 */
export async function post(shop, address, body) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.any([shop.signal, AbortSignal.timeout(shop.timeoutMs)]),
  });
  await response.arrayBuffer();
  return response.status;
}

/**
 * Calls the server's address for notifications, and returns the status of the answer.
 * @param {Shop} shop @param {Operation} operation @param {string} state
 */
export async function notify(shop, { code, number, transaction }, state) {
  const details = await shop.sandbox.details(number);
  const address = shop.options.notifications || details.callback_url;
  expect(address, 'a callback_url in the authorization, or --notifications', 'none');
  return post(shop, address, {
    merchant_code: code,
    merchant_operation_number: number,
    transaction_id: transaction,
    state,
    success: true,
    operation: { merchant_operation_number: number, state },
  });
}
