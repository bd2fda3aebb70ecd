// The package has two entry points for each element, each a file with everything. A page that loads both shares one wasm
// and one class between them.

/** Makes something once per page, in whichever file runs first. The name has to tell one build from another. */
export function pageSingleton<T>(name: string, make: () => T): T {
  const page = globalThis as unknown as Record<symbol, T | undefined>;
  return (page[Symbol.for(name)] ??= make());
}
