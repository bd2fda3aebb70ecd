// Remembers in this tab why a reload was offered, so that the same trouble does not offer another reload.

/** Tells this page from the one before a reload. */
const PAGE = String(Math.random());

/** The marks of one element, one for each kind of trouble. */
export class StopMark {
  #identity;

  /** `identity` returns the name of the element, and then what tells it from other elements of that name. */
  constructor(identity: () => unknown[]) {
    this.#identity = identity;
  }

  /** Writes a mark with the number of the operation, which may be empty. */
  write(kind: string, number: string) {
    try {
      sessionStorage.setItem(this.#key(kind), `${PAGE} ${number}`);
    } catch {
      // Without a storage `read` asks how the page was loaded.
    }
  }

  /** The number that an earlier page wrote, or nothing if that page had no such trouble. */
  read(kind: string): string | undefined {
    try {
      const [page, number] = sessionStorage.getItem(this.#key(kind))?.split(' ') ?? [PAGE];
      return page === PAGE ? undefined : number;
    } catch {
      const [navigation] = performance.getEntriesByType?.('navigation') ?? [];
      return (navigation as PerformanceNavigationTiming | undefined)?.type === 'reload' ? '' : undefined;
    }
  }

  erase(kind: string) {
    try {
      sessionStorage.removeItem(this.#key(kind));
    } catch {
      // Nothing was written either.
    }
  }

  /** The key has only a hash of the identity, because a page may put anything into its request. */
  #key(kind: string) {
    const [name, ...identity] = this.#identity();
    let hash = 0;
    for (const letter of JSON.stringify(identity)) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
    return `${name}-${kind}:${hash}`;
  }
}

/** Loads the page again. What a script put into a frame without an address comes back only with the page around it. */
export const reload = () => (location.protocol === 'about:' ? parent : self).location.reload();
