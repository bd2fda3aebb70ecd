// Prints only the code, without the page around the element.
//
// The element's own sheet cannot reach the page. So the document and every shadow root around the element adopt a sheet
// for paper. It hides everything except the element and its ancestors. The sheet is removed when the print is over. A
// print that the page or the payer begins is not changed.

import { SharedStyleSheet } from '../shared/style-sheet.ts';
import css from './print.css' with { type: 'text' };

const MARK = 'data-checkout-printed';

/** The mark of the element's ancestors: browsers of before 2024 have no `:has()`. */
const AROUND = 'data-checkout-around';

// The query keeps bundlers from writing the file into the code, which a policy with `style-src 'self'` refuses.
const SHEET = new SharedStyleSheet(css, () => new URL('./print.css?no-inline', import.meta.url));

/** The events after a print that show that the payer is back, or that another print begins. */
const BACK = ['pointerdown', 'keydown', 'beforeprint'];

/** Links that wait for a print. */
const links = new WeakMap<Document | ShadowRoot, HTMLLinkElement | undefined>();

let restore: (() => void) | undefined;

/** The roots from an element to the page, each with the element in it that has the next root. */
function* around(element: Element) {
  for (let at = element; at; ) {
    const root = at.getRootNode() as Document | ShadowRoot;
    yield { at, root };
    at = (root as ShadowRoot).host;
  }
}

/** The ancestors of an element within its root. */
function* ancestors({ parentElement }: Element) {
  for (let at = parentElement; at; at = at.parentElement) yield at;
}

/** Loads the sheets before a print: a browser whose scripts cannot make sheets begins to print before a link is loaded. */
export function prepare(element: Element) {
  for (const { root } of around(element)) {
    if (!SHEET.made(root) && !links.has(root)) links.set(root, SHEET.link(root, 'not all'));
  }
}

/** Hides everything except this element on paper, until the print is over. */
export function printOnly(element: Element) {
  restore?.();
  prepare(element);
  const undo: (() => void)[] = [];
  for (const { at, root } of around(element)) {
    const sheet = SHEET.made(root);
    const link = links.get(root);
    const holders = [...ancestors(at)];
    at.setAttribute(MARK, '');
    for (const holder of holders) holder.setAttribute(AROUND, '');
    if (sheet) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    if (link) link.media = 'print';
    undo.push(() => {
      at.removeAttribute(MARK);
      for (const holder of holders) holder.removeAttribute(AROUND);
      if (sheet) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet);
      if (link) link.media = 'not all';
    });
  }
  const back = new AbortController();
  restore = () => {
    back.abort();
    restore = undefined;
    for (const each of undo) each();
  };
  const over = () => {
    for (const name of BACK) addEventListener(name, () => restore?.(), { signal: back.signal, capture: true });
  };
  addEventListener('afterprint', over, { signal: back.signal });
}
