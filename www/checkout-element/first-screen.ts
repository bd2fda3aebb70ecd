// The first screen until the wasm is there. The payer can read it, and a press on it is not lost.

import { quietly } from '../shared/diagnosis.ts';
import { later } from '../shared/waiting.ts';

/** A choice of methods, until the wasm draws the same one. */
export class FirstScreen {
  /** The node that the wasm's own stage replaces. */
  node = document.createElement('div');
  /** Tells one screen from another. */
  text;
  #pressed: number | undefined;

  /** `painted` completes the screen after its first paint. */
  constructor(choice: Node, painted: (node: HTMLElement) => void) {
    this.node.append(choice);
    this.text = this.node.innerHTML;
    requestAnimationFrame(() => setTimeout(() => quietly(() => painted(this.node))));
    this.node.addEventListener('click', ({ target }) => this.#press(target as Element));
  }

  /** Moves the focus to the heading. A screen reader reads it with the sentence below it. */
  focus() {
    const heading = headingOf(this.node);
    heading?.setAttribute(LABEL, 'heading lead');
    heading?.focus();
  }

  /** Remembers the first press. */
  #press(target: Element) {
    const button = target.closest('.choice');
    if (!button || this.#pressed !== undefined) return;
    const buttons = choices(this.node);
    this.#pressed = buttons.indexOf(button as HTMLElement);
    this.#mark(buttons);
  }

  /** Shows which button was pressed. */
  #mark(buttons: HTMLElement[]) {
    buttons.forEach((button, at) => {
      button.setAttribute(at === this.#pressed ? 'aria-busy' : 'aria-disabled', 'true');
    });
  }

  /** Passes the focus and the press on to the wasm's screen, which is in the root already. */
  handOver(stage: HTMLElement) {
    const body = stage.querySelector('.body') as HTMLElement | null;
    // The wasm draws the same screen, so its entry animation is skipped.
    if (body) body.style.animation = 'none';
    const own = choices(this.node);
    const theirs = choices(stage);
    // This comes before the focus moves, which ends the press.
    const held = own.findIndex((button) => button.matches(':active'));
    const root = this.node.getRootNode() as ShadowRoot;
    const { activeElement } = root;
    if (activeElement && this.node.contains(activeElement)) {
      const heading = headingOf(stage);
      const label = activeElement.getAttribute(LABEL);
      if (label) heading?.setAttribute(LABEL, label);
      (theirs[own.indexOf(activeElement as HTMLElement)] ?? heading)?.focus({ preventScroll: true });
    }
    if (own.length !== theirs.length) return;
    if (this.#pressed === undefined) {
      if (held >= 0) pressWhenReleased(theirs[held]);
      return;
    }
    // On a slow phone a frame passes before the next screen is drawn.
    this.#mark(theirs);
    theirs[this.#pressed].click();
    // If the page has changed its settings, the wasm may show this choice again, and does not know of the marks.
    later(() => theirs.forEach(unmark), PRESSED_LOOK_MS);
  }
}

const LABEL = 'aria-labelledby';

/** How long the choice looks pressed after the wasm has got the press. */
const PRESSED_LOOK_MS = 1000;

/**
 * Clicks the button that replaced a held one when the mouse or the space bar is released on it: a browser makes no click
 * of a press on one button and a release on another.
 */
function pressWhenReleased(button: HTMLElement) {
  const done = new AbortController();
  const { signal } = done;
  const released = (event: Event) => {
    done.abort();
    if (!event.composedPath().includes(button)) return;
    // Some browsers click when the space bar is released.
    event.preventDefault();
    button.click();
  };
  addEventListener('mouseup', (event) => event.button === 0 && released(event), { signal });
  addEventListener('keyup', (event) => event.key === ' ' && released(event), { signal });
  // The events of a touch come all at once, after the finger has left.
  addEventListener('mousedown', () => done.abort(), { signal });
}

function unmark(button: Element) {
  for (const name of ['aria-busy', 'aria-disabled']) button.removeAttribute(name);
}

const headingOf = (node: Element) => node.querySelector('#heading') as HTMLElement | null;

const choices = (node: Element) => [...node.querySelectorAll('.choice')] as HTMLElement[];
