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
