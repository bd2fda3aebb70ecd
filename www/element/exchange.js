// A request to the merchant's server, and its answer.

/**
 * @typedef {object} Exchange
 * @property {string} method `POST` authorizes, or asks for the operation of the order, `GET` asks for the state, `DELETE` cancels
 * @property {string} url
 * @property {Response | undefined} response
 * @property {string | Promise<string> | undefined} body of the response, once it is read
 * @property {string | undefined} problem the `type` of the problem in it
 * @property {string | undefined} unreadable the field that breaks the contract, as in `operation.transactions[0].amount`; empty for the whole body
 * @property {number} took in milliseconds
 * @property {boolean} usable whether it can be read, and the payment goes on with it
 * @property {{ merchantOperationNumber: string, transactionId: string | null }} [about] the operation that the last event told
 * @property {boolean} [live] whether it asks which operation of the order its payer should see
 * @property {boolean} [unasked] whether it says that a known answer still holds, and none is known
 */

/**
 * What is wrong with an answer that breaks the contract. It names the field, and no value.
 * @param {Partial<Exchange>} exchange
 */
export const breach = ({ unreadable }) => unreadable !== undefined && `${unreadable ? `the field ${unreadable}` : 'the body'} breaks the contract`;

/**
 * The body of an answer, which the payment may have read before; `undefined` if it broke off.
 * @param {Exchange | undefined} exchange
 */
export async function bodyOf(exchange) {
  const { response } = exchange ?? {};
  if (exchange && response && !response.bodyUsed) exchange.body ??= response.text();
  return exchange?.body;
}
