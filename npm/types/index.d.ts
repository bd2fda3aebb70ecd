/** Importing this registers `<payment-checkout>`. */
export * from './element.js';
