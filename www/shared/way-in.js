// The exports of the package for one element, whichever of its files a page imports.

import { register } from './custom-element.js';
import { onePerPage } from './one-per-page.js';

/**
 * @template {CustomElementConstructor & { version: string }} T
 * @param {string} usualTag
 * @param {T} element
 * @param {import('./wasm.js').Wasm} wasm
 */
export const wayIn = (usualTag, element, wasm) =>
  // Another file of the same build may have been here first.
  onePerPage(`${usualTag} element ${wasm.integrity}`, () => ({
    element,

    /**
     * Registers the element.
     * @param {string} [tag]
     * @param {{ wasm?: string | URL }} [options] where the wasm is, for pages that host it elsewhere
     */
    define(tag = usualTag, { wasm: url } = {}) {
      if (url) wasm.hostedAt(url);
      register(tag, element);
    },

    /**
     * Loads the wasm before there is an element, on pages that know that there will be one. The element
     * tells if it cannot be loaded, and tries again.
     */
    async load() {
      // On a server there is nothing to load it for.
      if (globalThis.customElements) await wasm.begin().catch(() => {});
    },
  }));
