/**
 * The language of the page where an element is: the nearest `lang` around it, through shadow roots
 * as well, or the page's.
 * @param {Element} element
 * @returns {string} empty if the page does not say
 */
export function languageAround(element) {
  let nearest;
  for (let node = /** @type {any} */ (element); node && !nearest; node = node.getRootNode().host) {
    nearest = node.closest('[lang]')?.getAttribute('lang');
  }
  return nearest || document.documentElement.lang;
}

/**
 * The language of an element: its attribute, or that around it.
 * @param {Element} element
 */
export function localeOf(element) {
  return element.getAttribute('locale') || languageAround(element) || 'es-PE';
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
