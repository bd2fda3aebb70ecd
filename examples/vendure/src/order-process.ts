// A code that the customer left must not be paid any more: it ends before the order goes back to its cart, where its
// price may change, and before it is cancelled.
import { isGraphQlErrorResult, type OrderProcess, OrderService, type OrderState } from '@vendure/core';
import './payment-process';

let orders: OrderService;

export const endsOpenPayments: OrderProcess<OrderState> = {
  init(injector) {
    orders = injector.get(OrderService);
  },

  async onTransitionStart(from, to, { ctx, order }) {
    if (from !== 'ArrangingPayment' || (to !== 'AddingItems' && to !== 'Cancelled')) return;
    for (const payment of await orders.getOrderPayments(ctx, order.id)) {
      if (payment.state !== 'Waiting') continue;
      const ended = await orders.cancelPayment(ctx, payment.id);
      // A text refuses the transition, and is its reason.
      if (isGraphQlErrorResult(ended)) {
        return 'paymentErrorMessage' in ended ? ended.paymentErrorMessage : ended.message;
      }
    }
  },
};
