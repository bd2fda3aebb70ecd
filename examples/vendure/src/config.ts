import { join } from 'node:path';
import { DefaultJobQueuePlugin, DefaultSchedulerPlugin, type VendureConfig } from '@vendure/core';
import express from 'express';
import { PaymentCheckoutPlugin } from './plugin';
import { secret, setting } from './settings';

const HERE = join(__dirname, '..');
const port = Number(setting('PORT', '8000'));

export const config: VendureConfig = {
  apiOptions: {
    hostname: '127.0.0.1',
    port,
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
    // The page is on the same origin, and no other one has anything to ask.
    cors: false,
    csrfPrevention: true,
    middleware: [
      { route: 'shop', handler: express.static(join(HERE, 'page')) },
      { route: 'element', handler: express.static(setting('ELEMENT', join(HERE, 'page/element'))) },
    ],
  },
  authOptions: {
    tokenMethod: 'cookie',
    cookieOptions: { secret: secret('COOKIE_SECRET') },
    superadminCredentials: { identifier: 'superadmin', password: secret('ADMIN_PASSWORD') },
  },
  // The whole database in memory, and in this file after each change: enough to try it, and nothing to install. A shop
  // that sells has PostgreSQL here, and migrations in the place of `synchronize`.
  dbConnectionOptions: {
    type: 'sqljs',
    location: setting('DATABASE', join(HERE, 'shop.sqlite')),
    autoSave: true,
    synchronize: true,
  },
  // The plugin adds its own handler.
  paymentOptions: { paymentMethodHandlers: [] },
  plugins: [
    DefaultJobQueuePlugin,
    DefaultSchedulerPlugin.init({}),
    PaymentCheckoutPlugin.init({
      server: setting('PAYMENT_SERVER', 'http://127.0.0.1:8081/api'),
      apiKey: secret('SHOP_API_KEY'),
      ordersSecret: secret('ORDERS_SECRET'),
      eventsSecret: secret('EVENTS_SECRET'),
    }),
  ],
};
