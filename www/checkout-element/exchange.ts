// A request to the merchant's server, and its answer.

export interface Exchange {
  /** `POST` authorizes, or asks for the operation of the order; `GET` asks for the state; `DELETE` cancels. */
  method: string;
  url: string;
  response: Response | undefined;
  /** The text of the response, once it is read. */
  body: string | Promise<string> | undefined;
  /** The `type` of the problem in the body. */
  problem: string | undefined;
  /** The field that breaks the contract, as in `operation.transactions[0].amount`; empty for the whole body. */
  unreadable: string | undefined;
  /** The time until the answer, in milliseconds. */
  took: number;
  /** True if the payment goes on with the answer. */
  usable: boolean;
  /** The operation that the last event named. */
  about?: { merchantOperationNumber: string; transactionId: string | null };
  /** True if the request asks which operation of the order its payer should see. */
  live?: boolean;
  /** True if the answer says that a known answer still holds, and there was none. */
  unasked?: boolean;
}

/** The body of an answer, which the payment may have read before; `undefined` if it broke off. */
export async function bodyOf(exchange: Exchange | undefined) {
  const { response } = exchange ?? {};
  if (exchange && response && !response.bodyUsed) exchange.body ??= response.text();
  return exchange?.body;
}
