// A print of the code alone: while it lasts, the page around the element is left out.
//
// The element's own sheet cannot reach the page, so the page and every shadow root on the way to
// it adopt one that hides, on paper only, whatever neither holds the element nor is in it. It is
// taken back when the print is over; a print that the page or the payer begins is not touched.

const MARK = 'data-checkout-printed';

/** @type {(() => void) | undefined} */
let restore;

/**
 * Leaves everything but this element off the paper until the print is over.
 * @param {Element} element
 */
export function alone(element) {
  restore?.();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `@media print { :not([${MARK}], [${MARK}] *, :has([${MARK}])) { display: none !important } }`,
  );
  /** @type {(Document | ShadowRoot)[]} */
  const roots = [];
  /** @type {Element[]} */
  const marked = [];
  for (let at = element; at; ) {
    const root = /** @type {Document | ShadowRoot} */ (at.getRootNode());
    at.setAttribute(MARK, '');
    marked.push(at);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    roots.push(root);
    at = /** @type {ShadowRoot} */ (root).host;
  }
  restore = () => {
    removeEventListener('afterprint', over);
    restore = undefined;
    for (const at of marked) at.removeAttribute(MARK);
    for (const root of roots) {
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet);
    }
  };
  const over = () => restore?.();
  addEventListener('afterprint', over);
}
