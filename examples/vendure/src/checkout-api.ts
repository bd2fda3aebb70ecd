// What the Shop API has for the page beside Vendure's own: the signed order of the payment that waits.
import { Query, Resolver } from '@nestjs/graphql';
import { ActiveOrderService, Allow, Ctx, OrderService, Permission, type RequestContext } from '@vendure/core';
import gql from 'graphql-tag';
import { PaymentServer } from './payment-server';
import { OrderSigner } from './signed-order';

export const schema = gql`
  "An order for the element <payment-checkout>."
  type PaymentCheckout {
    "The address of the payment server, for \`base-url\`."
    server: String!
    "The signed order, for \`request = { order }\`. It is good for an hour; ask again whenever the page is opened."
    order: String!
    "In cents, as text."
    amount: String!
    currency: String!
  }

  extend type Query {
    "Null when no payment of the active order waits: \`addPaymentToOrder\` makes one."
    paymentCheckout: PaymentCheckout
  }
`;

@Resolver()
export class CheckoutResolver {
  constructor(
    private readonly activeOrders: ActiveOrderService,
    private readonly orders: OrderService,
    private readonly signer: OrderSigner,
    private readonly server: PaymentServer,
  ) {}

  /** The session's own order only: the signed order has the customer's name and address in it. */
  @Query()
  @Allow(Permission.Owner)
  async paymentCheckout(@Ctx() ctx: RequestContext) {
    const active = await this.activeOrders.getActiveOrder(ctx, undefined);
    const parts = ['customer', 'payments', 'lines', 'lines.productVariant'] as const;
    const order = active && (await this.orders.findOne(ctx, active.id, [...parts]));
    if (order?.state !== 'ArrangingPayment') return null;
    const payment = order.payments.find((one) => one.state === 'Waiting');
    if (!payment) return null;
    return {
      server: this.server.address,
      order: this.signer.sign(order, payment),
      amount: String(payment.amount),
      currency: order.currencyCode,
    };
  }
}
