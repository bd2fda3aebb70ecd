// Lets a payer keep the code of a waiting payment, and the receipt of a paid one: a sharp code on a screen that stays on,
// pictures of code and receipt, and a print of a cash code or a receipt.
//
// The element loads this module while the payer reads the choice, or else while the server prepares the operation, so
// that no code waits for it. Without the module the code is a little less sharp, the screen may go dark, the payer saves
// the code without its details, or the receipt as text, and a print shows the page around it.

import { diagnose } from '../shared/diagnosis.ts';
import { SharedStyleSheet } from '../shared/style-sheet.ts';
import { picture } from './picture.ts';
import { prepare, printOnly } from './print.ts';
import { modules, prepare as prepareCount } from './qr-modules.ts';
import { lacks } from './sandbox.ts';
import { keepOn, letGo } from './screen-on.ts';

/** Handles a press inside the element before the wasm and the browser do. */
export function pressed(element: HTMLElement, { target }: Event) {
  const control = target instanceof Element ? target.closest('[part~=button]') : null;
  const parts = control?.part;
  if (parts?.contains('print-button')) printOnly(element);
  if (parts?.contains('save-button')) save(control as HTMLAnchorElement);
  if (parts?.contains('share-button')) share(control?.parentElement?.querySelector('[part~=save-button]') as HTMLAnchorElement);
}

/** Prepares what takes time. */
export function ready(element: HTMLElement) {
  loaded(element.shadowRoot?.querySelector('[part=qr] img') ?? null);
  prepare(element);
  prepareCount();
  if (element.shadowRoot) withdraw(element.shadowRoot);
}

/** Hides the buttons that would do nothing in a frame with `sandbox`. Nobody is told that a picture was saved where none was. */
function withdraw(root: ShadowRoot) {
  hide(root, 'save', 'allow-downloads');
  hide(root, 'print', 'allow-modals');
}

function hide(root: ShadowRoot, part: string, without: string) {
  const css = `[part~=${part}-button]{display:none!important}`;
  const made = lacks(without) && new SharedStyleSheet(css, () => new URL(import.meta.url)).made(root);
  if (made) root.adoptedStyleSheets = [...root.adoptedStyleSheets, made];
}

/**
 * A code is on the screen, which stays on. Sets for the style sheet how many modules the code has, so that all of
 * them are equally large.
 */
export function loaded(image: EventTarget | null) {
  if (!(image instanceof HTMLImageElement && image.naturalWidth)) return;
  keepOn((image.getRootNode() as ShadowRoot).host);
  // Another code may have another number of modules.
  image.style.removeProperty('--_modules');
  try {
    image.style.setProperty('--_modules', String(modules(image)));
  } catch (reason) {
    diagnose('info', () => ['payment-checkout: the code is drawn as it came', reason]);
  }
}

/** The code is not on the screen any more. */
export const left = (element: HTMLElement) => letGo(element);

/** The code on the screen of a link. The screen of a receipt has none. */
const codeOf = (link: HTMLAnchorElement): HTMLImageElement | null => (link.getRootNode() as ShadowRoot).querySelector('[part=qr] img');

/** The picture that a link saves, and the name of its file. If no picture can be made, it is the code, or the receipt as text. */
function saved(link: HTMLAnchorElement): { href: string; download: string } {
  const { download, href } = link;
  try {
    return { href: picture(codeOf(link), link), download: download.replace(/txt$/, 'png') };
  } catch (reason) {
    diagnose('info', () => ['payment-checkout: it is saved without a picture, since none could be made', reason]);
    return { href, download };
  }
}

/** Sets the picture as the target of a link, which the browser follows next. */
function save(link: HTMLAnchorElement) {
  const { href, download } = link;
  const full = saved(link);
  ({ href: link.href, download: link.download } = full);
  // The picture is not kept. By then the link may have another code.
  setTimeout(() => {
    if (link.href === full.href) ({ href: link.href, download: link.download } = { href, download });
  });
}

/** Reports to the page that a code was shared. */
function shared(link: HTMLAnchorElement) {
  if (!codeOf(link)) return;
  const detail = { action: 'code-shared', method: 'QR' };
  link.dispatchEvent(new CustomEvent('checkout-action', { bubbles: true, composed: true, detail }));
}

async function share(link: HTMLAnchorElement) {
  const { href, download } = saved(link);
  const [kind, base64] = href.split(',');
  // Only pictures are shared.
  if (!kind.startsWith('data:image/png')) return link.click();
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  try {
    // Nothing is awaited before: a browser shares only in answer to a press.
    await navigator.share({ files: [new File([bytes], download, { type: 'image/png' })] });
    shared(link);
  } catch (reason) {
    // The payer closed the browser's dialog, or has it open already.
    const isPayers = ['AbortError', 'InvalidStateError'].includes((reason as Error).name);
    if (!isPayers) link.click();
  }
}
