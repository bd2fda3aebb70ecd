// Remembers in this tab that a wasm stopped, so that a second stop does not offer another reload.

/** Tells this page from the one before a reload. */
const PAGE = String(Math.random());

/** The mark of one element. */
export class StopMark {
  #identity;

  /** @param {() => unknown[]} identity the name of the element first, and then which one it is */
  constructor(identity) {
    this.#identity = identity;
  }

  /** Writes the mark, with the operation's number or an empty text. @param {string} number */
  write(number) {
    try {
      sessionStorage.setItem(this.#key(), `${PAGE} ${number}`);
    } catch {
      // Without a storage the way in which the page was loaded has to do.
    }
  }

  /** The number that an earlier page noted, or nothing if nothing stopped there. @returns {string | undefined} */
  read() {
    try {
      const [page, number] = sessionStorage.getItem(this.#key())?.split(' ') ?? [PAGE];
      return page === PAGE ? undefined : number;
    } catch {
      const [navigation] = performance.getEntriesByType?.('navigation') ?? [];
      return /** @type {PerformanceNavigationTiming | undefined} */ (navigation)?.type === 'reload' ? '' : undefined;
    }
  }

  erase() {
    try {
      sessionStorage.removeItem(this.#key());
    } catch {
      // Nothing was written either.
    }
  }

  /** A page may put anything into its request, so only a hash is written. */
  #key() {
    const [name, ...identity] = this.#identity();
    let hash = 0;
    for (const letter of JSON.stringify(identity)) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
    return `${name}-stopped:${hash}`;
  }
}
