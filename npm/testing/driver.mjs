// Drives `<payment-checkout>` as a payer does: by the roles and names of what is on the screen. It needs a page and nothing
// else, so it runs wherever the element runs: in a page of a browser's driver, in Cypress, in the browser mode of a test runner.

import { WORDS } from './words.mjs';

/** @import { PaymentCheckout } from '../types/element.js' */
/** @import { DriverOptions, DriverPress, OutcomeOnScreen } from '../types/testing.js' */

const METHODS = Object.freeze({
  QR: 'method.qr',
  INSTALLMENT: 'method.installment',
  CASHCODE: 'method.cash-code',
  BANK_TRANSFER: 'method.bank-transfer',
  CARD: 'method.card',
  WALLET: 'method.wallet',
});

/** Texts of which the name of a button has more: a line about the method, or the method that comes instead. */
const BEGINNINGS = [...Object.values(METHODS), 'live.replace'];

const ENDS = ['paid', 'declined', 'invalid', 'cancelled', 'expired', 'reversed'];

export class CheckoutDriver {
  #timeout;

  constructor(/** @type {PaymentCheckout} */ element, /** @type {DriverOptions} */ { timeout = 10_000 } = {}) {
    this.element = element;
    this.#timeout = timeout;
  }

  /** The state of the element, one of its documented words. */
  get state() {
    return this.element.state;
  }

  /** The heading of the screen, or of the question that stands over it. */
  get heading() {
    const heading = this.#visible('h1, h2, h3, h4, h5, h6, [role=heading]')[0];
    return heading ? nameOf(heading) : '';
  }

  /** The names of the buttons and links that the payer can press. */
  get choices() {
    return this.#pressable().map(nameOf);
  }

  /** The picture of the QR code, or nothing. */
  get qr() {
    const image = this.#visible('[part~=qr] img')[0];
    return image instanceof HTMLImageElement ? image.src : undefined;
  }

  /** What the screen says about the operation. Amount and number are as they are written there. */
  get outcome() {
    const text = (/** @type {string} */ part) => this.#visible(`[part~=${part}]`)[0]?.textContent?.trim() ?? '';
    const { state } = this;
    /** @type {OutcomeOnScreen} */
    const outcome = {
      state,
      isFinal: ENDS.includes(state),
      heading: this.heading,
      amount: text('amount'),
      number: text('number').replace(/\s/g, ''),
    };
    return outcome;
  }

  /** Waits for a state, or for one of several. */
  async reaches(/** @type {string[]} */ ...states) {
    await this.#until(
      () => states.includes(this.state),
      () => `The element did not reach ${states.join(' or ')}`,
    );
    return this.outcome;
  }

  /** Presses a button or a link: by the key of a text, by its whole name, or by a pattern for it. */
  async press(/** @type {DriverPress} */ wanted) {
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
    if (!Object.hasOwn(METHODS, method)) throw new Error(`There is no method ${method}. The methods are ${Object.keys(METHODS).join(', ')}.`);
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
    const root = this.element.shadowRoot;
    const within = root?.querySelector('dialog[open]') ?? root;
    const all = /** @type {HTMLElement[]} */ ([...(within?.querySelectorAll(selector) ?? [])]);
    return all.filter((each) => each.checkVisibility?.({ checkVisibilityCSS: true }) ?? true);
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

/** The name by which assistive technology knows a button, a link or a heading of the element. */
function nameOf(/** @type {Element} */ node) {
  const label = node.getAttribute('aria-label');
  if (label) return label.trim();
  const copy = /** @type {Element} */ (node.cloneNode(true));
  for (const hidden of copy.querySelectorAll('[aria-hidden=true], svg, slot')) hidden.remove();
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
}

const escaped = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
