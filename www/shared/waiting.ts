// Ways to wait, and a clock, which work where the page has replaced those of the browser by some that fail.

/** Does it in a microtask: before the browser paints, but not in the middle of what runs now. */
export async function soon(act: () => void) {
  await undefined;
  act();
}

/** Does it after this time, or never where the page broke its timers. */
export function later(act: () => void, millis?: number): ReturnType<typeof setTimeout> | undefined {
  try {
    return setTimeout(act, millis);
  } catch {
    return undefined;
  }
}

/** The milliseconds since the page began to load. */
export function sinceLoad(): number {
  try {
    return performance.now();
  } catch {
    return 0;
  }
}
