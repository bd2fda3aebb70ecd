/**
 * The language of an element: its attribute, or the nearest `lang` around it, through shadow
 * roots as well, or the page's.
 * @param {Element} element
 */
export function localeOf(element) {
  let nearest;
  for (let node = /** @type {any} */ (element); node && !nearest; node = node.getRootNode().host) {
    nearest = node.closest('[lang]')?.getAttribute('lang');
  }
  return element.getAttribute('locale') || nearest || document.documentElement.lang || 'es-PE';
}

/**
 * Calls `heard` after each change of a `lang` around the element.
 * @param {Element} element
 * @param {() => void} heard
 * @returns {() => void} stops it
 */
export function watchLang(element, heard) {
  const observer = new MutationObserver(heard);
  const options = { attributeFilter: ['lang'], subtree: true };
  for (let node = /** @type {any} */ (element); node; node = node.host) {
    node = node.getRootNode();
    observer.observe(node, options);
  }
  return () => observer.disconnect();
}
