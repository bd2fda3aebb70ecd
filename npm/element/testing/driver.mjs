// Drives `<payment-checkout>` as a payer does: by the roles and names of what is on the screen. It needs a page and nothing
// else, so it runs wherever the element runs: in a page of a browser's driver, in Cypress, in the browser mode of a test runner.

import { checkMethod, IS_FINAL, METHODS, oneOf, onlyOptions } from './allowed.mjs';
import { WORDS } from './words.mjs';

/** @import { CheckoutState } from '../types/events.js' */
/** @import { PaymentCheckout } from '../types/element.js' */
/** @import { DriverOptions, DriverPress, OutcomeOnScreen } from '../types/testing.js' */

/** Texts of which the name of a button has more: a line about the method, or the method that comes instead. */
const BEGINNINGS = [...Object.values(METHODS), 'live.replace'];

/** What the eye does not see: words for screen readers. A slot has the page's own. */
const UNSEEN = '.unseen, svg, slot';
/** What assistive technology leaves out. */
const UNHEARD = '[aria-hidden=true], svg, slot';

export class CheckoutDriver {
  #timeout;

  constructor(/** @type {PaymentCheckout} */ element, /** @type {DriverOptions} */ options = {}) {
    if (element?.localName !== 'payment-checkout') throw new Error('CheckoutDriver takes the element <payment-checkout> of the page.');
    onlyOptions('CheckoutDriver', options, ['timeout']);
    this.element = element;
    this.#timeout = options.timeout ?? 10_000;
  }

  /** The state of the element, one of its documented words. */
  get state() {
    return this.element.state;
  }

  /** The heading of the screen, or of the question that stands over it. */
  get heading() {
    const heading = this.#visible('h1, h2, h3, h4, h5, h6, [role=heading]')[0];
    return textOf(heading, UNSEEN);
  }

  /** The names of the buttons and links that the payer can press. */
  get choices() {
    return this.#pressable().map(nameOf);
  }

  /** The picture of the QR code, or nothing. */
  get qr() {
    return /** @type {HTMLImageElement | undefined} */ (this.#visible('[part~=qr] img')[0])?.src;
  }

  /** What the screen says about the operation. */
  get outcome() {
    const { state } = this;
    // Some screens have the number behind a press.
    const number = this.#screen()?.querySelector('[part~=operation] [part~=number], details [part~=number]');
    /** @type {OutcomeOnScreen} */
    const outcome = {
      state,
      isFinal: IS_FINAL[state],
      heading: this.heading,
      amount: textOf(this.#visible('[part~=amount]')[0], UNSEEN),
      number: number?.textContent?.replace(/\s/g, '') ?? '',
    };
    return outcome;
  }

  /** Waits for a state, or for one of several. */
  async reaches(/** @type {CheckoutState[]} */ ...states) {
    for (const state of states) oneOf('state', state, Object.keys(IS_FINAL));
    await this.#until(
      () => states.includes(this.state),
      () => `The element did not reach ${states.join(' or ')}`,
    );
    return this.outcome;
  }

  /** Presses a button or a link: by the key of a text, by its whole name, or by a pattern for it. */
  async press(/** @type {DriverPress} */ wanted) {
    if (typeof wanted === 'string' && /^[a-z]+\.[a-z-]+$/.test(wanted)) oneOf('text of a button or link with the key', wanted, Object.keys(WORDS));
    /** @type {HTMLElement | undefined} */
    let found;
    await this.#until(
      () => (found = this.#pressable().find((each) => this.#isNamed(each, wanted))),
      () => `There is no button or link ${JSON.stringify(String(wanted))}`,
    );
    found?.click();
  }

  /** Chooses a method on offer. */
  async choose(/** @type {keyof typeof METHODS} */ method) {
    checkMethod(method);
    await this.reaches('choosing');
    await this.press(METHODS[method]);
  }

  /** Cancels the operation that waits, and confirms it. */
  async cancel() {
    await this.press('action.cancel-label');
    await this.press('ask.cancel');
  }

  /** Leaves the operation that waits for another method, and confirms it. */
  async payAnotherWay() {
    await this.press('action.another');
    await this.press('ask.another');
  }

  /** Tries again, or asks for a new code. */
  async retry() {
    await this.press(/** @type {RegExp} */ (new RegExp([...this.#words('action.retry'), ...this.#words('action.new-qr')].map((word) => `^${escaped(word)}$`).join('|'))));
  }

  /** Follows a change of the screen, or of the state, until it is so. */
  async #until(/** @type {() => unknown} */ isSo, /** @type {() => string} */ otherwise) {
    if (isSo()) return;
    const root = this.element.shadowRoot;
    await new Promise((resolve, reject) => {
      const look = () => isSo() && end(resolve);
      const changes = new MutationObserver(look);
      // A press and its screen are drawn in one task. The event alone would come before a button that is drawn later.
      changes.observe(root ?? this.element, { childList: true, subtree: true, attributes: true, characterData: true });
      this.element.addEventListener('checkout-state', look);
      this.element.addEventListener('checkout-ready', look);
      const timer = setTimeout(() => end(() => reject(new Error(`${otherwise()} within ${this.#timeout} ms. ${this.#described()}`))), this.#timeout);
      const end = (/** @type {(value?: unknown) => void} */ settle) => {
        clearTimeout(timer);
        changes.disconnect();
        this.element.removeEventListener('checkout-state', look);
        this.element.removeEventListener('checkout-ready', look);
        settle();
      };
    });
  }

  #described() {
    const choices = this.choices.map((name) => JSON.stringify(name)).join(', ') || 'nothing';
    return `Its state is ${this.state}, its heading ${JSON.stringify(this.heading)}, and the payer can press ${choices}.`;
  }

  #pressable() {
    return this.#visible('button:not([disabled]), a[href]');
  }

  /** What matches on the screen. While a question stands over it, the rest can neither be pressed nor read. */
  #visible(/** @type {string} */ selector) {
    const all = /** @type {HTMLElement[]} */ ([...(this.#screen()?.querySelectorAll(selector) ?? [])]);
    return all.filter(isDrawn);
  }

  #screen() {
    const root = this.element.shadowRoot;
    return root?.querySelector('dialog[open]') ?? root;
  }

  #isNamed(/** @type {HTMLElement} */ each, /** @type {DriverPress} */ wanted) {
    const name = nameOf(each);
    if (wanted instanceof RegExp) return wanted.test(name);
    if (!Object.hasOwn(WORDS, wanted)) return name === wanted;
    const isBeginning = BEGINNINGS.includes(wanted);
    return this.#words(/** @type {keyof typeof WORDS} */ (wanted)).some((word) => (isBeginning ? name.startsWith(word) : name === word));
  }

  /** The words of a text: those of the page in place of the element's. */
  #words(/** @type {keyof typeof WORDS} */ key) {
    const own = this.element.messages?.[key];
    const words = typeof own === 'string' ? [own] : WORDS[key];
    // What is filled in is not known here.
    return words.map((word) => word.split('{')[0].trim());
  }
}

/** The name by which assistive technology knows a button or a link of the element. */
function nameOf(/** @type {Element} */ node) {
  const label = node.getAttribute('aria-label');
  if (label) return label.trim();
  return textOf(node, UNHEARD);
}

/** The text of what is drawn, without what a selector matches. */
function textOf(/** @type {Element | undefined} */ node, /** @type {string} */ without) {
  if (!node) return '';
  const read = (/** @type {Element} */ within) => {
    let text = '';
    for (const each of within.childNodes) {
      if (each.nodeType === each.TEXT_NODE) text += each.nodeValue;
      else if (isElement(each) && !each.matches(without) && isDrawn(each)) text += read(each);
    }
    return text;
  };
  return read(node).replace(/\s+/g, ' ').trim();
}

/** @returns {node is Element} */
function isElement(/** @type {Node} */ node) {
  // No `instanceof`: the element may be of another frame than this module.
  return node.nodeType === node.ELEMENT_NODE;
}

const isDrawn = (/** @type {Element} */ node) => node.checkVisibility?.({ checkVisibilityCSS: true }) ?? true;

const escaped = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
