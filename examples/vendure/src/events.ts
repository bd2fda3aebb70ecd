// What an event of the payment server changes in the shop.
import {
  Injectable,
  InternalServerErrorException,
  NotFoundException,
  UnprocessableEntityException,
} from '@nestjs/common';
import {
  isGraphQlErrorResult,
  Logger,
  OrderService,
  Payment,
  type Refund,
  type RequestContext,
  RequestContextService,
  TransactionalConnection,
} from '@vendure/core';
import { HANDLER, refundState } from './payment-handler';
import { PaymentServer, Refusal } from './payment-server';
import { TakenEvent } from './taken-event';

/** What this shop reads of an event. */
export interface EventData {
  order_id: string;
  order_state: 'open' | 'paid';
  /** In cents. */
  amount: string;
  currency: string;
}

const isNoFailure = (refund: Refund) => refund.state !== 'Failed';

@Injectable()
export class Events {
  constructor(
    private readonly connection: TransactionalConnection,
    private readonly contexts: RequestContextService,
    private readonly orders: OrderService,
    private readonly server: PaymentServer,
  ) {}

  /** Does what an event asks for, once: its id is stored in the transaction that changes the order. */
  async take(id: string, type: string, data: EventData): Promise<void> {
    const outside = await this.contexts.create({ apiType: 'admin' });
    await this.connection.withTransaction(outside, async (ctx) => {
      const taken = this.connection.getRepository(ctx, TakenEvent);
      if (await taken.existsBy({ id })) return;
      await taken.insert({ id });
      const payment = await this.connection.getRepository(ctx, Payment).findOne({
        where: { transactionId: data.order_id },
        relations: { order: true, refunds: true },
      });
      if (!payment) throw new NotFoundException('There is no such order.');
      await this.act(ctx, type, data, payment);
    });
  }

  private async act(ctx: RequestContext, type: string, data: EventData, payment: Payment): Promise<void> {
    switch (type) {
      case 'order.paid':
      case 'order.paid_late':
        if (data.amount !== String(payment.amount) || data.currency !== payment.order.currencyCode) {
          throw new UnprocessableEntityException('The amount is not that of the order.');
        }
        return this.paid(ctx, payment);
      case 'order.reversed':
      case 'refund.resolved':
      case 'refund.rejected':
        await this.readRefunds(ctx, payment);
        // Staff may have given back at the payment server what Vendure takes as paid.
        if (type === 'order.reversed' && payment.state === 'Settled' && !payment.refunds.some(isNoFailure)) {
          await this.tell(ctx, payment, 'was given back, and no refund here asked for it');
        }
        return;
      case 'order.paid_twice':
        return this.tell(ctx, payment, 'came twice: one of the two has to be given back at the payment server');
      case 'order.paid_again':
        return this.tell(ctx, payment, 'was given back, and the payment service calls it paid all the same');
      default: // a kind of tomorrow, or one that changes nothing here
    }
  }

  private async paid(ctx: RequestContext, payment: Payment): Promise<void> {
    if (payment.state === 'Settled') return;
    if (payment.state !== 'Waiting') return this.giveBack(ctx, payment);
    const settled = await this.orders.settlePayment(ctx, payment.id);
    if (isGraphQlErrorResult(settled)) {
      // The transaction ends without a trace, and the event comes again.
      throw new InternalServerErrorException('The payment could not be settled.');
    }
    Logger.info(`${payment.transactionId}: paid`, HANDLER);
  }

  /** The customer paid a code that had been left: the order was cancelled, or has another price now. */
  private async giveBack(ctx: RequestContext, payment: Payment): Promise<void> {
    try {
      await this.server.giveBack(`unwanted-${payment.transactionId}`, payment.transactionId, 'all');
      await this.tell(ctx, payment, 'arrived after its code had been left, and goes back');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const what = `arrived after its code had been left, and has to be given back by hand: ${error.message}`;
      await this.tell(ctx, payment, what);
    }
  }

  /** Asks what became of the refunds that were not over. */
  private async readRefunds(ctx: RequestContext, payment: Payment): Promise<void> {
    const open = payment.refunds.filter((one) => one.state === 'Pending' && one.transactionId);
    for (const refund of open) {
      const state = refundState(await this.server.refund(refund.transactionId));
      if (state !== 'Pending') await this.orders.transitionRefundToState(ctx, refund.id, state);
    }
  }

  /** Tells staff, in the history of the order. */
  private async tell(ctx: RequestContext, payment: Payment, what: string): Promise<void> {
    const note = `The payment ${payment.transactionId} ${what}.`;
    await this.orders.addNoteToOrder(ctx, { id: payment.order.id, note, isPublic: false });
  }
}
