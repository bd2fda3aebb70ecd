// How Vendure's payments are carried out by the payment server.
//
// A payment of Vendure's is an order of the payment server's: its `transactionId` is the `order_id` there. So another
// price, or another try after a cancellation, is another order there, which keeps the price of one it has seen for good.
import {
  type CreateRefundResult,
  LanguageCode,
  Logger,
  Payment,
  PaymentMethodHandler,
  type PaymentState,
  TransactionalConnection,
} from '@vendure/core';
import './payment-process';
import { PaymentServer, Refusal, type ServerRefund } from './payment-server';

export const HANDLER = 'payment-checkout';

let server: PaymentServer;
let connection: TransactionalConnection;

/** The state that a payment has already: what failed changes nothing, and may be asked for again. */
const unchanged = (payment: Payment, errorMessage: string) => ({
  success: false as const,
  state: payment.state as Exclude<PaymentState, 'Settled' | 'Cancelled'>,
  errorMessage,
});

/** Of a refund's states Vendure knows three. One whose answer was lost is not over. */
export function refundState({ state }: ServerRefund): 'Settled' | 'Pending' | 'Failed' {
  if (state === 'made') return 'Settled';
  return state === 'pending' || state === 'unknown' ? 'Pending' : 'Failed';
}

export const paymentCheckoutHandler = new PaymentMethodHandler({
  code: HANDLER,
  description: [
    { languageCode: LanguageCode.en, value: 'The customer pays in <payment-checkout>, and an event settles the payment' },
  ],
  args: {},

  init(injector) {
    server = injector.get(PaymentServer);
    connection = injector.get(TransactionalConnection);
  },

  /** Nothing is paid yet: the payment is `Waiting`, and the page asks for a signed order of it. */
  createPayment(_ctx, order, amount, _args, _metadata, method) {
    const earlier = order.payments.filter((one) => one.method === method.code && one.transactionId);
    if (earlier.some((one) => one.state === 'Waiting')) {
      return { amount, state: 'Declined', errorMessage: 'This order waits for a payment already.' };
    }
    return { amount, state: 'Waiting', transactionId: `${order.code}-${earlier.length + 1}` };
  },

  /** An event asks for this, or a member of staff. Neither is believed: the payment server says what is paid. */
  async settlePayment(_ctx, order, payment) {
    const paid = await server.order(payment.transactionId);
    if (paid.outcome !== 'paid') {
      return unchanged(payment, `The payment server says that this payment is ${paid.outcome}.`);
    }
    if (paid.amount !== String(payment.amount) || paid.currency !== order.currencyCode) {
      return unchanged(payment, `The payment server says that ${paid.amount} ${paid.currency} is paid.`);
    }
    return { success: true };
  },

  /** Ends the code. A payment that is there already stays: the order is paid then. */
  async cancelPayment(_ctx, _order, payment) {
    try {
      const { result } = await server.close(payment.transactionId);
      if (result === 'paid') return unchanged(payment, 'The customer has paid. Refund the payment instead.');
      // `closing`: no answer confirms yet that the code has ended. A payment that arrives all the same is given back.
      return { success: true, metadata: { end: result } };
    } catch (error) {
      return unchanged(payment, (error as Error).message);
    }
  },

  async createRefund(ctx, _input, amount, _order, payment): Promise<CreateRefundResult> {
    const { refunds } = await connection.getEntityOrThrow(ctx, Payment, payment.id, { relations: ['refunds'] });
    // The number of this refund: Vendure keeps none whose outcome is unknown, since this function throws then. So who
    // presses the button again repeats the request that got no answer, and nothing is given back twice.
    const key = `refund-${payment.transactionId}-${refunds.length + 1}`;
    try {
      // Otherwise an open page of the payer's offers to pay again, once the money has gone back.
      await server.close(payment.transactionId);
      const refund = await server.giveBack(key, payment.transactionId, amount);
      const { refund_id, way, detail } = refund;
      return { state: refundState(refund), transactionId: refund_id, metadata: { way, detail } };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      Logger.warn(`${payment.transactionId}: no refund, ${error.word}`, HANDLER);
      return { state: 'Failed', metadata: { refusal: error.word, detail: error.message } };
    }
  },
});
