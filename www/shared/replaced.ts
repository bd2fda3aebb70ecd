// Which functions of the browser the page has replaced.

/** True for a function that the browser wrote. */
const isOwn = (value: unknown) => /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(value));

/** In words which of these the page has replaced; empty if it has replaced none. */
export function replaced(names: readonly (keyof typeof globalThis)[]): string {
  const others = names.filter((name) => !isOwn(globalThis[name]));
  return others.length > 0 ? `the page has replaced ${others.join(', ')} of the browser` : '';
}
