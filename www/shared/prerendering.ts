// A browser may load a page before anybody asks for it, and show it later or never (prerendering).

/** True until the page is shown. Browsers that load no page in advance do not have the property. */
export const isPrerendering = () => Boolean((document as { prerendering?: boolean }).prerendering);

/**
 * Resolved once a page that was loaded in advance is shown. The window hears of it first, so a listener that the document gets
 * then comes after those of the page, which may name another order.
 */
export const shown = () =>
  new Promise<unknown>((resolve) => {
    const last = () => document.addEventListener('prerenderingchange', resolve, { once: true });
    addEventListener('prerenderingchange', last, { capture: true, once: true });
  });
