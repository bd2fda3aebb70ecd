// One screen of the checkout, drawn by the element's own views into a shadow root with the
// element's own style sheet.

import init, { binary, draw, locales, screens, unusualData } from './payment-gallery-wasm.js';
import { sheet } from '../element/style.js';

const ATTRIBUTES = ['screen', 'unusual', 'locale'];

/** Loads the wasm that draws the screens, and returns their collection. */
export async function collection() {
  await init({ module_or_path: fetch(binary.url, { integrity: binary.integrity }) });
  return { screens: screens(), unusual: unusualData(), locales: locales() };
}

/** `<checkout-exhibit screen="qr" unusual="none" locale="es-PE">`; usable once `collection` is there. */
class CheckoutExhibit extends HTMLElement {
  static observedAttributes = ATTRIBUTES;

  #root = this.attachShadow({ mode: 'open' });
  /** @type {import('./payment-gallery-wasm.js').Drawn | undefined} */
  #drawn;
  /** @type {HTMLElement | undefined} */
  #stage;

  constructor() {
    super();
    sheet.dress(this.#root);
  }

  connectedCallback() {
    this.#draw();
  }

  disconnectedCallback() {
    this.#drawn?.remove();
    this.#drawn = undefined;
  }

  attributeChangedCallback() {
    if (this.#drawn) this.#draw();
  }

  #draw() {
    this.#drawn?.remove();
    this.#stage?.remove();
    // Yew listens on the node that it draws into for the node's whole lifetime, so each drawing
    // needs a new one.
    const stage = document.createElement('div');
    this.#root.append(stage);
    this.#stage = stage;
    const [screen, unusual, locale] = ATTRIBUTES.map((name) => this.getAttribute(name) ?? '');
    this.#drawn = draw(stage, screen, unusual, locale);
  }
}

customElements.define('checkout-exhibit', CheckoutExhibit);
