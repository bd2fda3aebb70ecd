// Keeps the screen on while a QR code waits and the page is seen: another device scans it, and nobody touches this one.
//
// A cash code is paid elsewhere, later, and keeps no screen on. A browser that refuses, as on a low battery or in a frame
// without the permission, turns its screen off as always.

/** The elements with a code on the screen. */
const codes: Set<Element> = new Set();

/** The browser's promise that the screen stays on, once it is asked. */
let lock: Promise<WakeLockSentinel | undefined> | undefined;

export function keepOn(element: Element) {
  codes.add(element);
  void renew();
}

export function letGo(element: Element) {
  if (codes.delete(element)) void renew();
}

/** Asks the browser, or gives back what it promised. It takes its promise back by itself when the page is hidden. */
async function renew() {
  const wanted = codes.size > 0 && document.visibilityState === 'visible';
  if (wanted === Boolean(lock)) return;
  const before = lock;
  // Older browsers have none.
  lock = wanted ? navigator.wakeLock?.request('screen').catch(() => undefined) : undefined;
  await (await before)?.release();
}

document.addEventListener('visibilitychange', () => void renew());
