// Keeps the screen on while a QR code waits on a visible page: another device scans the code, and this one is not touched.
//
// A cash code is paid later, somewhere else, so it does not keep the screen on. If the browser refuses, as on a low battery
// or in a frame without the permission, the screen turns off as usual.

/** The elements with a code on the screen. */
const codes = new Set<Element>();

/** The lock that keeps the screen on, once it is requested. */
let lock: Promise<WakeLockSentinel | undefined> | undefined;

export function keepOn(element: Element) {
  codes.add(element);
  void renew();
}

export function letGo(element: Element) {
  if (codes.delete(element)) void renew();
}

/** Requests the lock, or releases it. The browser itself releases it when the page is hidden. */
async function renew() {
  const wanted = codes.size > 0 && document.visibilityState === 'visible';
  if (wanted === Boolean(lock)) return;
  const before = lock;
  // Older browsers have no locks.
  lock = wanted ? navigator.wakeLock?.request('screen').catch(() => undefined) : undefined;
  await (await before)?.release();
}

document.addEventListener('visibilitychange', () => void renew());
