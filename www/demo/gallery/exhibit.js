// One screen of the checkout, drawn by the element's own views into a shadow root with the
// element's own style sheet.

import { sheet } from '../../checkout-element/style.ts';
import init, { binary, draw, locales, screens, states, unusualData } from './payment-gallery-wasm.js';

/**
 * The element's style sheet as a phone has it, on any computer: a copy of the sheet in which the media queries about a finger
 * hold and those about a mouse do not. The sheet itself needs no second set of rules for that.
 * @type {CSSStyleSheet | undefined}
 */
let touch;

/** @param {CSSRuleList} rules */
function turn(rules) {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      const { mediaText } = rule.media;
      if (/pointer: coarse|hover: none/.test(mediaText)) rule.media.mediaText = 'all';
      else if (/pointer: fine|hover: hover/.test(mediaText)) rule.media.mediaText = 'not all';
    }
    if ('cssRules' in rule) turn(/** @type {CSSGroupingRule} */ (rule).cssRules);
  }
}

/**
 * Puts the sheet into a root, as this device has it or as a phone has it. A browser that cannot make
 * sheets has its own way alone.
 * @param {ShadowRoot} root
 * @param {boolean} phone
 */
function wear(root, phone) {
  const own = sheet.made(root);
  if (!own) return;
  if (phone && !touch) {
    touch = new CSSStyleSheet();
    touch.replaceSync([...own.cssRules].map((rule) => rule.cssText).join('\n'));
    turn(touch.cssRules);
  }
  root.adoptedStyleSheets = [phone && touch ? touch : own];
}

const ATTRIBUTES = ['screen', 'unusual', 'locale'];

/** Loads the wasm that draws the screens, and returns their collection. */
export async function collection() {
  await init({ module_or_path: fetch(binary.url, { integrity: binary.integrity }) });
  return { screens: screens(), states: states(), unusual: unusualData(), locales: locales() };
}

/** `<checkout-exhibit screen="qr" unusual="none" locale="es-PE" phone>`; usable once `collection` is there. */
export class CheckoutExhibit extends HTMLElement {
  static observedAttributes = [...ATTRIBUTES, 'phone'];

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

  /** @param {string} name */
  attributeChangedCallback(name) {
    if (name === 'phone') wear(this.#root, this.hasAttribute('phone'));
    else if (this.#drawn) this.#draw();
  }

  /** The names in an attribute of what is drawn, each once. @param {'part' | 'slot'} kind */
  named(kind) {
    const nodes = [...this.#root.querySelectorAll(kind === 'slot' ? 'slot[name]' : '[part]')];
    const names = nodes.flatMap((node) => (node.getAttribute(kind === 'slot' ? 'name' : kind) ?? '').split(/\s+/));
    return [...new Set(names)].filter(Boolean).sort();
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
