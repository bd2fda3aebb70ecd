// Measures of the browser, for pages that watch their own speed. The element itself does not read them.

import { quietly } from './diagnosis.ts';

/** When the page was shown, in milliseconds since it began to load: 0 unless that was in advance. */
function shownAt() {
  const [navigation] = performance.getEntriesByType('navigation') as { activationStart?: number }[];
  return navigation?.activationStart ?? 0;
}

/** Notes that something happened now, and began at `start`, in milliseconds since the page began to load. */
export function measure(name: string, start?: number) {
  quietly(() => performance.measure(name, { start: start ?? shownAt() }));
}

/** Notes it after the browser has painted what is in the page now. */
export function measurePaint(name: string) {
  quietly(() => requestAnimationFrame(() => setTimeout(() => measure(name))));
}
