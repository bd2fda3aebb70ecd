// A request to the merchant's server, and its answer.

/**
 * @typedef {object} Exchange
 * @property {string} method `POST` authorizes, `GET` asks for the state, `DELETE` cancels
 * @property {string} url
 * @property {Response | undefined} response
 * @property {string | undefined} problem the `type` of the problem in it
 * @property {number} took in milliseconds
 * @property {boolean} usable whether it can be read, and the payment goes on with it
 * @property {{ merchantOperationNumber: string, transactionId: string | null }} [about] the operation that the last event told
 * @property {boolean} [unasked] whether it says that a known answer still holds, and none is known
 */

export {};
