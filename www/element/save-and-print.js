// Lets a payer keep the code of a waiting payment, and the receipt of a paid one: a sharp code on a screen that stays on,
// code and receipt as pictures, a print of a cash code or a receipt.
//
// The element loads this module while the payer reads the choice, or else while the server prepares the operation, so
// that no code waits for it.
// Without the module the code is a little less sharp, the screen may go dark, the payer saves the bare code, or the
// receipt as text, and a print shows the page around it.

import { diagnose } from '../shared/diagnosis.js';
import { modules, prepare as prepareCount } from './qr-modules.js';
import { picture } from './picture.js';
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

/** The code on the screen of a link; a receipt has none. @param {HTMLAnchorElement} link @returns {HTMLImageElement | null} */
const codeOf = (link) => /** @type {ShadowRoot} */ (link.getRootNode()).querySelector('[part=qr] img');

/**
 * The picture of what a link would save, and the name of its file; without a picture the bare code, or the receipt as text.
 * @param {HTMLAnchorElement} link
 * @returns {{ href: string, download: string }}
 */
function saved(link) {
  const { download, href } = link;
  try {
    return { href: picture(codeOf(link), link), download: download.replace(/txt$/, 'png') };
  } catch (reason) {
    diagnose('info', () => ['payment-checkout: it is saved without a picture, since none could be made', reason]);
    return { href, download };
  }
}

/** The browser follows the link next, and saves what it finds there. @param {HTMLAnchorElement} link */
function save(link) {
  const { href, download } = link;
  const full = saved(link);
  Object.assign(link, full);
  // Nothing of it is kept; by then another code may be there.
  setTimeout(() => {
    if (link.href === full.href) Object.assign(link, { href, download });
  });
}

/** Tells the page that a code was shared. @param {HTMLAnchorElement} link */
function shared(link) {
  if (!codeOf(link)) return;
  const detail = { action: 'code-shared', method: 'QR' };
  link.dispatchEvent(new CustomEvent('checkout-action', { bubbles: true, composed: true, detail }));
}

/** @param {HTMLAnchorElement} link */
async function share(link) {
  const { href, download } = saved(link);
  const [kind, base64] = href.split(',');
  // Only pictures are shared.
  if (!kind.startsWith('data:image/png')) return link.click();
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  try {
    // At once, since a browser shares only in answer to a press.
    await navigator.share({ files: [new File([bytes], download, { type: 'image/png' })] });
    shared(link);
  } catch (reason) {
    // The payer thought better of it, or is choosing still.
    const meant = ['AbortError', 'InvalidStateError'].includes(/** @type {Error} */ (reason).name);
    if (!meant) link.click();
  }
}
