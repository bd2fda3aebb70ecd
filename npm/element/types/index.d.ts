/** Importing this registers `<payment-checkout>`, and begins to load its wasm. */
export * from './element.js';
