/** Importing this registers `<payment-operations>`, and begins to load its wasm. */
export * from './element.js';
