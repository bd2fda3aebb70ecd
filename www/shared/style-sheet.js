// A style sheet that many shadow roots share: adopted where scripts can make one, and a link to
// the same sheet as a file where they cannot. A policy with `style-src 'self'` allows both.

import { diagnose } from './diagnosis.js';

/** One style sheet, made when the first root asks for it: where there is no document nothing is done. */
export class SharedStyleSheet {
  #css;
  #address;
  /** @type {CSSStyleSheet | undefined} */
  #made;

  /**
   * @param {string} css
   * @param {() => URL} address of a file with the same text
   */
  constructor(css, address) {
    this.#css = css;
    this.#address = address;
  }

  /**
   * Puts the sheet into a root. If neither way works, the root stays without it and still works.
   * @param {ShadowRoot} root
   * @returns {HTMLLinkElement | undefined} the link, if it took one; it has to stay where it is
   */
  dress(root) {
    const made = this.made(root);
    const link = made ? undefined : this.link(root);
    if (made) root.adoptedStyleSheets = [made];
    if (link) veil(root, link);
    return link;
  }

  /** The sheet for a root, or nothing if the browser makes none. @param {Document | ShadowRoot} root */
  made(root) {
    if (!('adoptedStyleSheets' in root)) return undefined;
    try {
      if (!this.#made) {
        const made = new CSSStyleSheet();
        made.replaceSync(this.#css);
        this.#made = made;
      }
      return this.#made;
    } catch {
      return undefined;
    }
  }

  /**
   * A link in a root to the same sheet as a file.
   * @param {Document | ShadowRoot} root
   * @param {string} [media]
   * @returns {HTMLLinkElement | undefined} nothing where a bundler made no address of it
   */
  link(root, media = 'all') {
    try {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.media = media;
      link.href = this.#address().href;
      (/** @type {Document} */ (root).head ?? root).prepend(link);
      return link;
    } catch (reason) {
      diagnose('error', () => ['payment-checkout: there is no address of the style sheet', reason]);
      return undefined;
    }
  }
}

/** For so long nothing is shown without its style, in milliseconds; then a plain payment is better than none. */
const PATIENCE = 2000;

/**
 * What comes into a root before its style waits for it unseen, but takes the focus and is heard. The page's own
 * content is in a slot, which has no box, so it is always seen.
 * @param {ShadowRoot} root
 * @param {HTMLLinkElement} link
 */
function veil(root, link) {
  const show = (/** @type {string} */ opacity) => {
    for (const child of /** @type {Iterable<HTMLElement>} */ (root.children)) child.style.opacity = opacity;
  };
  const watch = new MutationObserver(() => {
    show('0');
    if ([...root.children].some((child) => child.matches(':not(link, slot)'))) setTimeout(settle, PATIENCE);
  });
  const settle = () => {
    watch.disconnect();
    show('');
  };
  watch.observe(root, { childList: true });
  link.onload = link.onerror = settle;
}
