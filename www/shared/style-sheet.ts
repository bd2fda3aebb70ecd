// A style sheet that many shadow roots share. A root adopts it where scripts can make sheets, and links to the same sheet
// as a file where they cannot. A policy with `style-src 'self'` allows both.

import { diagnose } from './diagnosis.ts';

/**
 * One style sheet, made when the first root of a document asks for it: documents share none, and a server, which has no
 * document, can import this.
 */
export class SharedStyleSheet {
  #css;
  #address;
  #made = new WeakMap<Document, CSSStyleSheet>();

  /** `address` returns that of a file with the same text. */
  constructor(css: string, address: () => URL) {
    this.#css = css;
    this.#address = address;
  }

  /**
   * Puts the sheet into a root. If neither way works, the root stays without it and still works. Returns the link, if the
   * root got one; it has to stay where it is.
   */
  dress(root: ShadowRoot): HTMLLinkElement | undefined {
    const made = this.made(root);
    const link = made ? undefined : this.link(root);
    if (made) root.adoptedStyleSheets = [made];
    if (link) veil(root, link);
    return link;
  }

  /** The sheet for a root, or nothing if the browser makes none. */
  made(root: Document | ShadowRoot) {
    if (!('adoptedStyleSheets' in root)) return undefined;
    try {
      const document = root.ownerDocument ?? (root as Document);
      let made = this.#made.get(document);
      if (!made) {
        made = new (document.defaultView as typeof globalThis & Window).CSSStyleSheet();
        made.replaceSync(this.#css);
        this.#made.set(document, made);
      }
      return made;
    } catch {
      return undefined;
    }
  }

  /** Links a root to the sheet as a file, and returns the link, or nothing where a bundler made no address of the file. */
  link(root: Document | ShadowRoot, media = 'all'): HTMLLinkElement | undefined {
    try {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.media = media;
      link.href = this.#address().href;
      ((root as Document).head ?? root).prepend(link);
      return link;
    } catch (reason) {
      diagnose('error', () => ['payment-checkout: there is no address of the style sheet', reason]);
      return undefined;
    }
  }
}

/** How long the checkout waits for its style sheet before it is shown without style. */
const STYLE_TIMEOUT_MS = 2000;

/**
 * Makes what comes into a root transparent until its style is there: it takes the focus, and a screen reader reads it.
 * The page's own content is in a slot, which has no box, so it stays visible.
 */
function veil(root: ShadowRoot, link: HTMLLinkElement) {
  const show = (opacity: string) => {
    for (const child of root.children as Iterable<HTMLElement>) child.style.opacity = opacity;
  };
  const watch = new MutationObserver(() => {
    show('0');
    if ([...root.children].some((child) => child.matches(':not(link, slot)'))) setTimeout(settle, STYLE_TIMEOUT_MS);
  });
  const settle = () => {
    watch.disconnect();
    show('');
  };
  watch.observe(root, { childList: true });
  link.onload = link.onerror = settle;
}
