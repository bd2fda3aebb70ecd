// The first screen until the wasm is there: it can be read, and a press on it is not lost.

import { quietly } from '../shared/diagnosis.ts';

/** A choice of methods that stands until the wasm draws the same. */
export class FirstScreen {
  /** The node that the wasm's own stage replaces. */
  node = document.createElement('div');
  /** Another text is another screen. */
  text;
  #pressed: number | undefined;

  /** @param painted completes it once it is painted */
  constructor(choice: Node, painted: (node: HTMLElement) => void) {
    this.node.append(choice);
    this.text = this.node.innerHTML;
    requestAnimationFrame(() => setTimeout(() => quietly(() => painted(this.node))));
    this.node.addEventListener('click', ({ target }) => this.#press(target as Element));
  }

  /** Moves the focus to the heading, which is heard with the sentence below it. */
  focus() {
    const heading = headingOf(this.node);
    heading?.setAttribute(LABEL, 'heading lead');
    heading?.focus();
  }

  /** The first press counts. */
  #press(target: Element) {
    const button = target.closest('.choice');
    if (!button || this.#pressed !== undefined) return;
    const buttons = choices(this.node);
    this.#pressed = buttons.indexOf(button as HTMLElement);
    this.#mark(buttons);
  }

  /** Shows which one was pressed. */
  #mark(buttons: HTMLElement[]) {
    for (const [at, button] of buttons.entries()) button.setAttribute(at === this.#pressed ? 'aria-busy' : 'aria-disabled', 'true');
  }

  /** Gives the focus and the press to the wasm's screen, which stands beside it. */
  handOver(stage: HTMLElement) {
    const body = stage.querySelector('.body') as HTMLElement | null;
    // The same comes in its place, so it does not come in.
    if (body) body.style.animation = 'none';
    const own = choices(this.node);
    const theirs = choices(stage);
    // Before the focus moves, which ends it.
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
    // The wasm may go on with this choice, if the page meanwhile changed its mind, and knows nothing of the marks.
    setTimeout(() => theirs.forEach(unmark), PRESSED_LOOK_MS);
  }
}

const LABEL = 'aria-labelledby';

/** How long the pressed choice looks pressed after the wasm has got the press, in milliseconds. */
const PRESSED_LOOK_MS = 1000;

/**
 * Presses the button that stands in the place of a held one when the mouse or the space bar is released on it: a browser
 * makes no click of two halves on two buttons.
 */
function pressWhenReleased(button: HTMLElement) {
  const done = new AbortController();
  const { signal } = done;
  const released = (event: Event) => {
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

function unmark(button: Element) {
  for (const name of ['aria-busy', 'aria-disabled']) button.removeAttribute(name);
}

const headingOf = (node: Element) => node.querySelector('#heading') as HTMLElement | null;

const choices = (node: Element) => [...node.querySelectorAll('.choice')] as HTMLElement[];
