// Stands for what saves, shares and prints until its module is there, which no screen waits for.

import { diagnose } from '../shared/diagnosis.js';

/** The module, once loaded. @type {typeof import('./save-and-print.js') | undefined} */
let saver;

/** The screens before which, or with which, a code comes, and that with a receipt. */
const WITH_SOMETHING_TO_KEEP = ['choosing', 'authorizing', 'pending', 'paid'];

/** What saves, shares and prints for one element. */
export class LateSaver {
  #element;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** @param {Event} event a press inside the element */
  pressed(event) {
    saver?.pressed(this.#element, event);
  }

  /** @param {EventTarget | null} target a picture in the element */
  loaded(target) {
    saver?.loaded(target);
  }

  /** No code waits on the screen any more. */
  left() {
    saver?.left(this.#element);
  }

  /**
   * Loads the module for a screen with a code or a receipt, or before one.
   * @param {string} state the screen that the payer sees now
   * @param {number} unhurried how long a payer reads the choice before, in milliseconds
   */
  async load(state, unhurried) {
    if (saver || !WITH_SOMETHING_TO_KEEP.includes(state)) return;
    // A payer who has chosen needs it as soon as the code is there.
    if (state === 'choosing') await new Promise((resolve) => setTimeout(resolve, unhurried));
    if (saver || !this.#element.isConnected) return;
    try {
      saver = await import('./save-and-print.js');
      saver.ready(this.#element);
    } catch (reason) {
      diagnose('info', () => ['payment-checkout: could not load what saves pictures and prints', reason]);
    }
  }
}
