// `payment-checkout-element/testing`: a merchant's server for tests of a page, and a driver of the element. Nothing here is
// loaded by a page that takes payments.

export { STATES, cancelled, nothing, offer, problem, started, status } from './answers.mjs';
export { CheckoutDriver } from './driver.mjs';
export { TestServer } from './server.mjs';
