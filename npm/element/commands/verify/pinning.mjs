// The lines by which a page pins the files of a release.

import { expressionOf } from './page.mjs';

/** @import { Release } from './judge.mjs' */

/**
 * An import map for a page that serves the folder `element` of the release at this address, the source expression that permits it,
 * and the lines that preload. A browser uses the preloaded script only if its line demands what the map does.
 */
export function pinning(/** @type {Release} */ { files }, /** @type {string} */ at) {
  if (!/^(?:\.{0,2}\/|https?:\/\/)[^\s"'<>&]*$/.test(at)) {
    throw new Error(`--import-map ${JSON.stringify(at)} is no address of a folder: write it as /element or https://cdn.example/element.`);
  }
  const folder = at.endsWith('/') ? at : `${at}/`;
  const names = Object.keys(files).filter((name) => name.startsWith('element/'));
  const address = (/** @type {string} */ name) => name.replace('element/', () => folder);
  const modules = names.filter((name) => name.endsWith('.js'));
  const integrity = Object.fromEntries(modules.map((name) => [address(name), files[name]]));
  const imports = { 'payment-checkout-element': `${folder}payment-checkout.js`, 'payment-checkout-element/element': `${folder}element.js` };
  const map = `\n${JSON.stringify({ imports, integrity }, null, 2)}\n`;
  const entry = 'element/payment-checkout.js';
  const binaries = names.filter((name) => name.endsWith('.wasm'));
  return [
    `<!-- script-src needs '${expressionOf(map)}' for this import map as it stands here. -->`,
    `<script type="importmap">${map}</script>`,
    `<link rel="modulepreload" href="${address(entry)}" integrity="${files[entry]}">`,
    ...binaries.map((name) => `<link rel="preload" as="fetch" crossorigin href="${address(name)}">`),
    '',
  ].join('\n');
}
