// Measures of the browser, for pages that watch their own speed. The element itself does not read them.

import { quietly } from './diagnosis.ts';

/** Notes that something happened now, and began at `start`, in milliseconds since the page began to load. */
export function measure(name: string, start = 0) {
  quietly(() => performance.measure(name, { start }));
}

/** Notes it after the browser has painted what is in the page now. */
export function measurePaint(name: string) {
  quietly(() => requestAnimationFrame(() => setTimeout(() => measure(name))));
}
