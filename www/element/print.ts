// A print of the code alone: while it lasts, the page around the element is left out.
//
// The element's own sheet cannot reach the page. So the page and every shadow root on the way to it
// adopt a sheet that works on paper only. It hides everything beside the element and beside what holds
// it. The sheet is removed when the print is over. A print that the page or the payer begins is
// not touched.

import { SharedStyleSheet } from '../shared/style-sheet.ts';
import css from './print.css' with { type: 'text' };

const MARK = 'data-checkout-printed';

/** The mark of what holds the element: browsers of before 2024 have no `:has()`. */
const AROUND = 'data-checkout-around';

// A link needs the file itself: a policy with `style-src 'self'` refuses what a bundler would write into the code.
const SHEET = new SharedStyleSheet(css, () => new URL('./print.css?no-inline', import.meta.url));

/** The events after a print by which the payer is back, or another print begins. */
const BACK = ['pointerdown', 'keydown', 'beforeprint'];

/** Links that wait for a print. */
const links: WeakMap<Document | ShadowRoot, HTMLLinkElement | undefined> = new WeakMap();

let restore: (() => void) | undefined;

/** The roots from an element to the page, each with what holds the element in it. */
function* around(element: Element) {
  for (let at = element; at; ) {
    const root = at.getRootNode() as Document | ShadowRoot;
    yield { at, root };
    at = (root as ShadowRoot).host;
  }
}

/** What holds an element within its root. */
function* ancestors({ parentElement }: Element) {
  for (let at = parentElement; at; at = at.parentElement) yield at;
}

/**
 * Loads the sheets for a print early: a browser whose scripts cannot make sheets begins to print
 * before it would have loaded one.
 */
export function prepare(element: Element) {
  for (const { root } of around(element)) {
    if (!SHEET.made(root) && !links.has(root)) links.set(root, SHEET.link(root, 'not all'));
  }
}

/** Leaves everything but this element off the paper until the print is over. */
export function alone(element: Element) {
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
