// The wasm: fetched and compiled once a page, however many elements there are.

import init, { mount, onPanic } from './payment-checkout-wasm.js';

/** @typedef {import('./payment-checkout-wasm.js').Mounted} Mounted */

/** @type {Promise<typeof mount> | undefined} */
let loading;

let stopped = false;

/** @type {Set<() => void>} */
const listeners = new Set();

/** Whether the wasm has stopped, for every element of the page and for good. */
export const hasStopped = () => stopped;

/**
 * Loads the wasm. A load that failed is tried again by the next call.
 * @returns {Promise<typeof mount>} what draws a checkout into an element
 */
export function load() {
  loading ??= start();
  return loading;
}

async function start() {
  try {
    await init();
  } catch (reason) {
    loading = undefined;
    throw reason;
  }
  onPanic((/** @type {string} */ place) => {
    stopped = true;
    console.error(`payment-checkout: stopped at ${place}`);
    // What panicked is still on the stack; whoever listens must find it unwound.
    queueMicrotask(() => listeners.forEach((listener) => listener()));
  });
  return mount;
}

/**
 * Calls `listener` when the wasm has stopped, which ends every element of the page.
 * @param {() => void} listener
 * @returns {() => void} takes the listener away
 */
export function onStop(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
