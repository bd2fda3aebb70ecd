// Remembers in this tab why a reload was offered, so that the same trouble does not offer another one.

/** Tells this page from the one before a reload. */
const PAGE = String(Math.random());

/** The marks of one element, one for each kind of trouble. */
export class StopMark {
  #identity;

  /** @param {() => unknown[]} identity the name of the element first, and then which one it is */
  constructor(identity) {
    this.#identity = identity;
  }

  /** Writes a mark, with the operation's number or an empty text. @param {string} kind @param {string} number */
  write(kind, number) {
    try {
      sessionStorage.setItem(this.#key(kind), `${PAGE} ${number}`);
    } catch {
      // Without a storage the way in which the page was loaded has to do.
    }
  }

  /** The number that an earlier page noted, or nothing if it had no such trouble. @param {string} kind @returns {string | undefined} */
  read(kind) {
    try {
      const [page, number] = sessionStorage.getItem(this.#key(kind))?.split(' ') ?? [PAGE];
      return page === PAGE ? undefined : number;
    } catch {
      const [navigation] = performance.getEntriesByType?.('navigation') ?? [];
      return /** @type {PerformanceNavigationTiming | undefined} */ (navigation)?.type === 'reload' ? '' : undefined;
    }
  }

  /** @param {string} kind */
  erase(kind) {
    try {
      sessionStorage.removeItem(this.#key(kind));
    } catch {
      // Nothing was written either.
    }
  }

  /** A page may put anything into its request, so only a hash is written. @param {string} kind */
  #key(kind) {
    const [name, ...identity] = this.#identity();
    let hash = 0;
    for (const letter of JSON.stringify(identity)) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
    return `${name}-${kind}:${hash}`;
  }
}
