// The language of an element, and of the page where it is.

import { quietly } from './diagnosis.ts';

/** The element whose shadow root a node is in, if it is in one. */
const hostOf = (node: Node) => (node.getRootNode() as Partial<ShadowRoot>).host;

/** The language around an element: the nearest `lang`, through shadow roots, or that of the page. Empty if there is none. */
export function languageAround(element: Element): string {
  for (let node: Element | undefined = element; node; node = hostOf(node)) {
    const nearest = node.closest('[lang]')?.getAttribute('lang');
    if (nearest) return nearest;
  }
  return document.documentElement.lang;
}

/** The language of an element: its attribute, or the language around it. */
export function localeOf(element: Element) {
  return element.getAttribute('locale') || languageAround(element) || 'es-PE';
}

/** Calls `changed` after each change of a `lang` around the element, until the returned function is called. */
export function watchLang(element: Element, changed: () => void) {
  const observer = new MutationObserver(changed);
  const options = { attributeFilter: ['lang'], subtree: true };
  quietly(() => {
    for (let node: Element | undefined = element; node; node = hostOf(node)) observer.observe(node.getRootNode(), options);
  });
  return () => observer.disconnect();
}
