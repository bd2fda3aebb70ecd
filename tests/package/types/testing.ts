// The server and the driver for the tests of pages.

import { CheckoutDriver, TestServer, offer, status, problem } from 'payment-checkout-element/testing';
const server = new TestServer({ methods: ['QR', 'CASHCODE'], now: () => 5 });
new TestServer({ orderMethods: ['QR'], limits: { QR: { PEN: { least: 600, most: '50000' }, USD: {} } } });
offer({ currency: 'PEN', methods: ['QR'], notOffered: [{ method: 'CASHCODE', reason: 'order', least: null, most: null }] });
server.becomes('paid', { number: '1' });
server.fails('start', 'lost', { times: 2 });
server.fails('status', 'not-ready');
const go = server.pauses('cancel'); go();
server.operations.map(({ state }) => state === 'paid');
const driver = new CheckoutDriver(document.createElement('payment-checkout'));
driver.press('ask.keep'); driver.press('Any text'); driver.press(/a/);
status({ state: 'reversed' }, { orderState: 'open' }); problem('order-paid', { method: 'QR' });
problem('payment-service-unavailable', {}, { money: 'nothing_charged', detail: 'Any text' }); problem('internal', {}, { money: undefined });
const { isFinal } = await driver.reaches('paid', 'declined');
// @ts-expect-error a state that there is not
server.becomes('payed');
// @ts-expect-error a problem says one of three things of the money
problem('order-may-be-paid', {}, { money: 'charged' });
// @ts-expect-error an address that there is not
server.fails('begin', 'lost');
// @ts-expect-error a bound that there is not
new TestServer({ limits: { QR: { PEN: { max: 50000 } } } });
// @ts-expect-error an unknown method
server.begins('PAYPAL');
// @ts-expect-error a method that the element does not offer
driver.choose('PIX');
// @ts-expect-error a state that the element does not have
driver.reaches('done');
export { isFinal };
