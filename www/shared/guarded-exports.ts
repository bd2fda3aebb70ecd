// Guards the exports of a wasm. JavaScript enters the wasm only through them: at a call of the element, and also when a
// timer fires, an answer arrives or the payer presses something.

/**
 * An exception that leaves the wasm has interrupted its functions, so its memory cannot be trusted afterwards. The first
 * one is reported, and every later call does nothing.
 */
export function guardedExports(exports: WebAssembly.Exports, report: (reason: unknown) => void): WebAssembly.Exports {
  let stopped = false;
  const guarded =
    (call: (...values: never[]) => unknown) =>
    (...values: never[]) => {
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
  const all = Object.entries(exports).map(([name, value]) => [
    name,
    typeof value === 'function' ? guarded(value as (...values: never[]) => unknown) : value,
  ]);
  return Object.fromEntries(all);
}
