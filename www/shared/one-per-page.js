// The package has two ways in, each a file with everything. A page that takes both gets one of each thing.

/**
 * Makes something once a page, by whichever file comes first.
 * @template T
 * @param {string} name the same for the same build alone
 * @param {() => T} make
 * @returns {T}
 */
export function onePerPage(name, make) {
  const page = /** @type {Record<symbol, T>} */ (/** @type {unknown} */ (globalThis));
  return (page[Symbol.for(name)] ??= make());
}
