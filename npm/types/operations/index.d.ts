/** Importing this registers `<payment-operations>`. */
export * from './element.js';
