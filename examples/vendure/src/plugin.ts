import { PluginCommonModule, VendurePlugin } from '@vendure/core';
import { raw } from 'express';
import { Webhook } from 'standardwebhooks';
import { CheckoutResolver, schema } from './checkout-api';
import { Events } from './events';
import { EventsController } from './events-controller';
import { endsOpenPayments } from './order-process';
import { paymentCheckoutHandler } from './payment-handler';
import { refundsTakeTime, waitsForPayer } from './payment-process';
import { PaymentServer } from './payment-server';
import { OrderSigner } from './signed-order';
import { TakenEvent } from './taken-event';

export interface PaymentCheckoutOptions {
  /** The payment server's PUBLIC_URL. */
  server: string;
  /** Made by `merchant-backend key new --may read,cancel,refund`. */
  apiKey: string;
  ordersSecret: string;
  /** `whsec_` and base64. */
  eventsSecret: string;
}

let options: PaymentCheckoutOptions;

@VendurePlugin({
  imports: [PluginCommonModule],
  entities: [TakenEvent],
  controllers: [EventsController],
  providers: [
    { provide: PaymentServer, useFactory: () => new PaymentServer(options.server, options.apiKey) },
    { provide: OrderSigner, useFactory: () => new OrderSigner(options.server, options.ordersSecret) },
    { provide: Webhook, useFactory: () => new Webhook(options.eventsSecret) },
    Events,
  ],
  shopApiExtensions: { schema, resolvers: [CheckoutResolver] },
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(paymentCheckoutHandler);
    (config.paymentOptions.process ??= []).push(waitsForPayer);
    (config.paymentOptions.refundProcess ??= []).push(refundsTakeTime);
    config.orderOptions.process.push(endsOpenPayments);
    // The signature is over the bytes, so they are kept; Vendure's own reader of JSON leaves a body that was read alone.
    config.apiOptions.middleware.push({
      route: '/events',
      handler: raw({ type: () => true, limit: '100kb' }),
      beforeListen: true,
    });
    return config;
  },
  compatibility: '^3.0.0',
})
export class PaymentCheckoutPlugin {
  static init(settings: PaymentCheckoutOptions): typeof PaymentCheckoutPlugin {
    // The library takes any base64, also of a short key, which could be guessed.
    const key = Buffer.from(settings.eventsSecret.replace(/^whsec_/, ''), 'base64');
    if (!settings.eventsSecret.startsWith('whsec_') || key.length < 24) {
      throw new Error('EVENTS_SECRET is not whsec_ and at least 24 bytes in base64');
    }
    options = settings;
    return PaymentCheckoutPlugin;
  }
}
