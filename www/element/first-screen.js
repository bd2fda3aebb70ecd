// The first screen until the wasm is there: it can be read, and a press on it is not lost.

import { quietly } from '../shared/diagnosis.js';

/** A choice of methods that stands until the wasm draws the same. */
export class FirstScreen {
  /** The node that the wasm's own stage replaces. */
  node = document.createElement('div');
  /** Another text is another screen. */
  text;
  /** @type {number | undefined} */
  #pressed;

  /** @param {Node} choice @param {(node: HTMLElement) => void} painted completes it once it is painted */
  constructor(choice, painted) {
    this.node.append(choice);
    this.text = this.node.innerHTML;
    requestAnimationFrame(() => setTimeout(() => quietly(() => painted(this.node))));
    this.node.addEventListener('click', ({ target }) => this.#press(/** @type {Element} */ (target)));
  }

  /** Moves the focus to the heading, which is heard with the sentence below it. */
  focus() {
    const heading = headingOf(this.node);
    heading?.setAttribute(LABEL, 'heading lead');
    heading?.focus();
  }

  /** The first press counts. @param {Element} target */
  #press(target) {
    const button = target.closest('.choice');
    if (!button || this.#pressed !== undefined) return;
    const buttons = choices(this.node);
    this.#pressed = buttons.indexOf(/** @type {HTMLElement} */ (button));
    this.#mark(buttons);
  }

  /** Shows which one was pressed. @param {HTMLElement[]} buttons */
  #mark(buttons) {
    for (const [at, button] of buttons.entries()) button.setAttribute(at === this.#pressed ? 'aria-busy' : 'aria-disabled', 'true');
  }

  /** Gives the focus and the press to the wasm's screen, which stands beside it. @param {HTMLElement} stage */
  handOver(stage) {
    const body = /** @type {HTMLElement | null} */ (stage.querySelector('.body'));
    // The same comes in its place, so it does not come in.
    if (body) body.style.animation = 'none';
    const own = choices(this.node);
    const theirs = choices(stage);
    // Before the focus moves, which ends it.
    const held = own.findIndex((button) => button.matches(':active'));
    const root = /** @type {ShadowRoot} */ (this.node.getRootNode());
    const { activeElement } = root;
    if (activeElement && this.node.contains(activeElement)) {
      const heading = headingOf(stage);
      const label = activeElement.getAttribute(LABEL);
      if (label) heading?.setAttribute(LABEL, label);
      (theirs[own.indexOf(/** @type {HTMLElement} */ (activeElement))] ?? heading)?.focus({ preventScroll: true });
    }
    if (own.length !== theirs.length) return;
    if (this.#pressed === undefined) {
      if (held >= 0) pressWhenReleased(theirs[held]);
      return;
    }
    // On a slow phone a frame passes before the next screen is drawn.
    this.#mark(theirs);
    theirs[this.#pressed].click();
    // The wasm may go on with this choice, if the page meanwhile changed its mind, and knows nothing of the marks.
    setTimeout(() => theirs.forEach(unmark), SEEN);
  }
}

const LABEL = 'aria-labelledby';

/** How long the pressed choice looks pressed after the wasm has got the press, in milliseconds. */
const SEEN = 1000;

/**
 * Presses the button that stands in the place of a held one when the mouse or the space bar is released on it: a browser
 * makes no click of two halves on two buttons.
 * @param {HTMLElement} button
 */
function pressWhenReleased(button) {
  const done = new AbortController();
  const { signal } = done;
  const released = (/** @type {Event} */ event) => {
    done.abort();
    if (!event.composedPath().includes(button)) return;
    // Some browsers click at the second half of the space bar's press.
    event.preventDefault();
    button.click();
  };
  addEventListener('mouseup', (event) => event.button === 0 && released(event), { signal });
  addEventListener('keyup', (event) => event.key === ' ' && released(event), { signal });
  // A finger's press comes whole, after the finger has left.
  addEventListener('mousedown', () => done.abort(), { signal });
}

/** @param {Element} button */
function unmark(button) {
  for (const name of ['aria-busy', 'aria-disabled']) button.removeAttribute(name);
}

/** @param {Element} node */
const headingOf = (node) => /** @type {HTMLElement | null} */ (node.querySelector('#heading'));

/** @param {Element} node */
const choices = (node) => /** @type {HTMLElement[]} */ ([...node.querySelectorAll('.choice')]);
