// Loads the module that saves, shares and prints, and passes events on to it. No screen waits for the module.

import { diagnose } from '../shared/diagnosis.ts';
import { later } from '../shared/waiting.ts';

/** The module, once loaded. */
let tools: typeof import('./save-and-print.ts') | undefined;

/** The screens with a code or a receipt, and those before a code. */
const SCREENS = ['choosing', 'authorizing', 'pending', 'paid'];

/** How long a payer reads the choice of methods before the module is loaded. */
const READING_TIME_MS = 1000;

/** What saves, shares and prints for one element. */
export class QrToolsLoader {
  #element;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** The payer pressed something in the element. */
  pressed(event: Event) {
    tools?.pressed(this.#element, event);
  }

  /** A picture in the element was loaded. */
  loaded(target: EventTarget | null) {
    tools?.loaded(target);
  }

  /** The screen has no code any more. */
  left() {
    tools?.left(this.#element);
  }

  /** Loads the module if this screen, which the payer sees now, has a code or a receipt, or comes before one. */
  async load(state: string) {
    if (tools || !SCREENS.includes(state)) return;
    // A payer who has chosen needs it as soon as the code is there.
    if (state === 'choosing') await new Promise<void>((resolve) => later(resolve, READING_TIME_MS));
    if (tools || !this.#element.isConnected) return;
    try {
      tools = await import('./save-and-print.ts');
      tools.ready(this.#element);
    } catch (reason) {
      diagnose('info', () => ['payment-checkout: could not load save-and-print.js', reason]);
    }
  }
}
