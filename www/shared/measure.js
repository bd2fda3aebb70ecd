// Measures of the browser, for pages that watch their own speed. Nobody else reads them.

import { quietly } from './diagnosis.js';

/**
 * Notes that something has just happened.
 * @param {string} name
 * @param {number} [start] in milliseconds since the page began to load
 */
export function measure(name, start = 0) {
  quietly(() => performance.measure(name, { start }));
}

/** The same once the browser has painted what is in the page now. @param {string} name */
export function measurePaint(name) {
  requestAnimationFrame(() => setTimeout(() => measure(name)));
}
