// Lets a payer keep the code of a waiting payment: a sharp code on a screen that stays on, the code as a
// picture, a print of a cash code.
//
// The element loads this module while the payer reads the choice, or else while the server prepares the operation, so
// that no code waits for it.
// Without the module the code is a little less sharp, the screen may go dark, the payer saves the bare code, and a print shows the
// page around it.

import { diagnose } from '../shared/diagnosis.js';
import { modules, prepare as prepareCount } from './qr-modules.js';
import { picture } from './qr-picture.js';
import { alone, prepare } from './print.js';
import { keepOn, letGo } from './screen-on.js';

/**
 * Handles a press inside the element before the wasm and the browser do.
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

/** Gets ready for what needs time. @param {HTMLElement} element */
export function ready(element) {
  loaded(element.shadowRoot?.querySelector('[part=qr] img') ?? null);
  prepare(element);
  prepareCount();
}

/**
 * A code is on the screen, which stays on. Sets for the style sheet how many modules the code has, so that all of
 * them are equally large.
 * @param {EventTarget | null} image
 */
export function loaded(image) {
  if (!(image instanceof HTMLImageElement && image.naturalWidth)) return;
  keepOn(/** @type {ShadowRoot} */ (image.getRootNode()).host);
  // Another code may have another number of them.
  image.style.removeProperty('--_modules');
  try {
    image.style.setProperty('--_modules', String(modules(image)));
  } catch (reason) {
    diagnose('info', () => ['payment-checkout: the code is drawn as it came', reason]);
  }
}

/** The code is gone. @param {HTMLElement} element */
export const left = (element) => letGo(element);

/** The picture of what a link would save, or else the bare code. @param {HTMLAnchorElement} link */
function saved(link) {
  try {
    const root = /** @type {ShadowRoot} */ (link.getRootNode());
    return picture(/** @type {HTMLImageElement} */ (root.querySelector('[part=qr] img')), link);
  } catch (reason) {
    diagnose('info', () => ['payment-checkout: the bare code is saved, since no picture could be made of it', reason]);
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

/** Tells the page that a code was shared. @param {HTMLAnchorElement} link */
function shared(link) {
  const detail = { action: 'code-shared', method: 'QR' };
  link.dispatchEvent(new CustomEvent('checkout-action', { bubbles: true, composed: true, detail }));
}

/** @param {HTMLAnchorElement} link */
async function share(link) {
  const [, base64] = saved(link).split(',');
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  try {
    // At once, since a browser shares only in answer to a press.
    await navigator.share({ files: [new File([bytes], link.download, { type: 'image/png' })] });
    shared(link);
  } catch (reason) {
    // The payer thought better of it, or is choosing still.
    const meant = ['AbortError', 'InvalidStateError'].includes(/** @type {Error} */ (reason).name);
    if (!meant) link.click();
  }
}
