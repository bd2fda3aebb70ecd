// What both entry points of an element export.

import { register, type VersionedElement } from './custom-element.ts';
import { pageSingleton } from './page-singleton.ts';
import type { Mounted, Wasm } from './wasm.ts';

/** The exports for an element whose usual tag is `usualTag`. */
export const entryPoint = <T extends VersionedElement, M extends Mounted>(usualTag: string, element: T, wasm: Wasm<M>) =>
  // The other entry point of the same build may have run first.
  pageSingleton(`${usualTag} element ${wasm.integrity}`, () => ({
    element,

    /** Registers the element. A page that hosts the wasm elsewhere gives its address. */
    define(tag = usualTag, { wasm: url }: { wasm?: string | URL } = {}) {
      if (url) wasm.hostedAt(url);
      register(tag, element);
    },

    /**
     * Loads the wasm before the page has an element. If that fails, the element tries again, and reports if it fails, too.
     */
    async load() {
      // On a server there is nothing to load it for.
      if (globalThis.customElements) await wasm.begin().catch(() => {});
    },
  }));
