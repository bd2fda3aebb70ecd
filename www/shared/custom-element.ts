// Steps that every custom element of the package takes: properties for its attributes, and its registration.

import { diagnose } from './diagnosis.ts';

/** A class of the package, with the version of the package. */
export type VersionedElement = CustomElementConstructor & { version: string };

/** The name of an attribute's property, as a type. */
export type PropertyName<Attribute extends string> = Attribute extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<PropertyName<Rest>>}`
  : Attribute;

/** The name of an attribute's property. */
export const propertyOf = <Attribute extends string>(attribute: Attribute) =>
  attribute.replace(/-(.)/g, (_, letter) => letter.toUpperCase()) as PropertyName<Attribute>;

/** The level of a heading in an attribute, from 1 to 6; 2 for anything else. */
export const headingLevel = (text: string | null | undefined) => (/^[1-6]$/.test(text ?? '') ? Number(text) : 2);

/** Gives a class a property for each of its attributes. */
export function reflect(element: typeof HTMLElement, attributes: readonly string[]) {
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

/** Sets properties again that were set before the element was defined: such a property hides the accessor of its class. */
export function upgrade(element: HTMLElement, names: readonly string[]) {
  const properties = element as unknown as Record<string, unknown>;
  for (const name of names) {
    if (!Object.getOwnPropertyDescriptor(element, name)) continue;
    const value = properties[name];
    delete properties[name];
    properties[name] = value;
  }
}

/** Registers an element. A second call is harmless, and so is a call where there are no elements. */
export function register(tag: string, element: VersionedElement) {
  const registry = globalThis.customElements;
  if (!registry) return;
  const known = registry.get(tag) as VersionedElement | undefined;
  if (known) {
    if (known !== element && !(known.prototype instanceof element)) {
      diagnose('warn', () => [
        `${tag}: another copy (version ${known.version}) is registered; this one (${element.version}) is not used. Load one copy; after a hot reload, reload the page`,
      ]);
    }
    return;
  }
  // The browser registers a class once, so a second tag needs a class of its own.
  registry.define(tag, registered.has(element) ? class extends element {} : element);
  registered.add(element);
}

/** The classes that have a tag. */
const registered = new WeakSet<CustomElementConstructor>();
