// The language of an element, and of the page where it is. Every tag of a language is read here.

import { quietly } from './diagnosis.ts';

/** A tag as browsers read it. Some systems write `en_US`, for which `Intl` throws. */
export const tagOf = (text: string) => text.replace(/_/g, '-');

/** The language of a tag: `en` of `en-US`. */
export const languageOf = (tag: string) => tagOf(tag).split('-')[0].toLowerCase();

/** True if a tag is of one of these languages. */
export const isOf = (languages: object, tag: string | null) => Object.keys(languages).includes(languageOf(tag ?? ''));

/** The element whose shadow root a node is in, if it is in one. */
const hostOf = (node: Node) => (node.getRootNode() as Partial<ShadowRoot>).host;

/** The language around an element: the nearest `lang`, through shadow roots, or that of the page. Empty if there is none. */
export function languageAround(element: Element): string {
  for (let node: Element | undefined = element; node; node = hostOf(node)) {
    const nearest = node.closest('[lang]')?.getAttribute('lang');
    if (nearest) return tagOf(nearest);
  }
  return tagOf(document.documentElement.lang);
}

/**
 * What says the language of an element that has these: the last one of them that its attribute or the page asked for.
 * Before there was one, it is the element's own word for that case, or the page's language.
 */
export function languageFor(element: Element, languages: object) {
  let last: string | null = null;
  return () => {
    const around = languageAround(element);
    const asked = element.getAttribute('locale') || around;
    if (isOf(languages, asked)) last = asked;
    return tagOf([last, element.getAttribute('fallback-locale'), around].find((tag) => isOf(languages, tag)) ?? 'es-PE');
  };
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
