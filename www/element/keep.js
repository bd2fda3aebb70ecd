// What a payer takes along of a payment that waits: the code as a picture, a print of a cash code.
//
// Loaded once a payment waits, so that the first code does not wait for it. Where it could not be
// loaded, the bare code is saved, and a print has the page around it.

import { picture } from './picture.js';
import { alone } from './print.js';

/**
 * Answers a press inside the element, before the wasm hears of it and before the browser follows it.
 * @param {HTMLElement} element
 * @param {Event} event
 */
export function pressed(element, { target }) {
  const control = target instanceof Element ? target.closest('[part~=button]') : null;
  const parts = control?.part;
  if (parts?.contains('print-button')) alone(element);
  if (parts?.contains('save-button')) save(/** @type {HTMLAnchorElement} */ (control));
  if (parts?.contains('share-button')) share(/** @type {HTMLAnchorElement} */ (control?.parentElement?.querySelector('[part~=save-button]')));
}

/** The picture of what a link would save, or else the bare code. @param {HTMLAnchorElement} link */
function saved(link) {
  try {
    const root = /** @type {ShadowRoot} */ (link.getRootNode());
    return picture(/** @type {HTMLImageElement} */ (root.querySelector('[part=qr] img')), link);
  } catch (reason) {
    console.info('payment-checkout: the bare code is saved, since no picture could be made of it', reason);
    return link.href;
  }
}

/** The browser follows the link next, and saves what it finds there. @param {HTMLAnchorElement} link */
function save(link) {
  const bare = link.href;
  const full = saved(link);
  link.href = full;
  // Nothing of it is kept; by then another code may be there.
  setTimeout(() => {
    if (link.href === full) link.href = bare;
  });
}

/** @param {HTMLAnchorElement} link */
async function share(link) {
  const [, base64] = saved(link).split(',');
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  try {
    // At once: a browser shares only what was just pressed.
    await navigator.share({ files: [new File([bytes], link.download, { type: 'image/png' })] });
  } catch (reason) {
    // The payer thought better of it, or is choosing still.
    const meant = ['AbortError', 'InvalidStateError'].includes(/** @type {Error} */ (reason).name);
    if (!meant) link.click();
  }
}
