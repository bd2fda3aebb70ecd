// Texts of the wasm in a page that a program translates.

import { quietly } from './diagnosis.ts';

/**
 * Keeps the texts in a root up to date where something has put other nodes in their places, as translators do: Yew goes on
 * writing into the text that it made, which nobody would see. Then that text comes back.
 */
export function keepTexts(root: ShadowRoot | null) {
  const watch = new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) {
      const [text, other] = [removedNodes[0], addedNodes[0] as ChildNode | undefined];
      // Yew itself replaces nothing: it adds and removes.
      if (!(text instanceof Text) || !other || text.isConnected) continue;
      const set = (words: string) => {
        text.data = words;
        other.replaceWith(text);
      };
      Object.defineProperty(text, 'nodeValue', { configurable: true, set });
    }
  });
  if (root) quietly(() => watch.observe(root, { childList: true, subtree: true }));
}
