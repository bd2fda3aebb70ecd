/**
 * Makes an element. A property whose name has a dash, or that the element does not know, becomes
 * an attribute; strings among the children become text, never markup.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && !name.includes("-")) {
      Reflect.set(element, name, value);
    } else {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children);
  return element;
}

/**
 * The element of the page with this id.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function find(id) {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`the page has no #${id}`);
  }
  return element;
}

/**
 * Moves to the heading of a part of the page that has just appeared, so that a screen reader reads
 * it.
 *
 * @param {HTMLElement} heading
 */
export function arriveAt(heading) {
  window.scrollTo(0, 0);
  heading.focus({ preventScroll: true });
}
