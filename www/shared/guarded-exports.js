// The exports of a wasm, guarded: JavaScript enters the wasm through them alone, also when a timer
// fires, an answer arrives or the payer presses something.

/**
 * An exception that comes out of the wasm has left its functions in the middle: nothing in it can be
 * trusted afterwards. So the first one is reported, and every later call does nothing.
 * @param {WebAssembly.Exports} exports
 * @param {(reason: unknown) => void} report
 * @returns {WebAssembly.Exports}
 */
export function guardedExports(exports, report) {
  let stopped = false;
  /** @param {Function} call */
  const guarded = (call) => (/** @type {unknown[]} */ ...values) => {
    if (stopped) return undefined;
    try {
      return call(...values);
    } catch (reason) {
      if (!stopped) {
        stopped = true;
        report(reason);
      }
      throw reason;
    }
  };
  const all = Object.entries(exports).map(([name, value]) => [name, typeof value === 'function' ? guarded(value) : value]);
  return Object.fromEntries(all);
}
