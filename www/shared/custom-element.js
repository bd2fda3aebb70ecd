// Steps that every custom element of the package takes: properties for its attributes, and its registration.

import { diagnose } from './diagnosis.js';

/** @param {string} attribute */
export const propertyOf = (attribute) => attribute.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/**
 * Gives a class a property for each of its attributes.
 * @param {typeof HTMLElement} element
 * @param {string[]} attributes
 */
export function reflect(element, attributes) {
  for (const attribute of attributes) {
    Object.defineProperty(element.prototype, propertyOf(attribute), {
      configurable: true,
      enumerable: true,
      get() {
        return this.getAttribute(attribute);
      },
      set(value) {
        if (value === null || value === undefined) this.removeAttribute(attribute);
        else this.setAttribute(attribute, value);
      },
    });
  }
}

/**
 * A property that was set before its element was defined hides the accessor.
 * @param {any} element
 * @param {string[]} names
 */
export function upgrade(element, names) {
  for (const name of names) {
    if (!Object.getOwnPropertyDescriptor(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}

/**
 * Registers an element. Doing so twice, or where there are no elements, is harmless.
 * @param {string} tag
 * @param {CustomElementConstructor & { version: string }} element
 */
export function register(tag, element) {
  const registry = globalThis.customElements;
  if (!registry) return;
  const known = /** @type {typeof element | undefined} */ (registry.get(tag));
  if (known) {
    if (known !== element && !(known.prototype instanceof element)) {
      diagnose('warn', () => [
        `${tag}: another copy is registered already (version ${known.version}), so this one (${element.version}) is not used. Load one copy; after a hot reload, reload the page`,
      ]);
    }
    return;
  }
  // A class can be registered once; another tag needs another one.
  registry.define(tag, registered.has(element) ? class extends element {} : element);
  registered.add(element);
}

/** The classes that have a tag. @type {WeakSet<CustomElementConstructor>} */
const registered = new WeakSet();
