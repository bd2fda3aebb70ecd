// The screen that a payer sees, as the page can ask for it and style it.

/** The name of the present screen: a state of the element for style sheets, in browsers that have them. */
export class ScreenState {
  #element;
  /** @type {ElementInternals | undefined} */
  #internals;
  name = 'loading';

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    this.#internals = element.attachInternals?.();
  }

  /** Takes another name. Returns the one before, or nothing if it stays. @param {string} name */
  becomes(name) {
    const previous = this.name;
    if (name === previous) return undefined;
    this.name = name;
    try {
      const { states } = /** @type {any} */ (this.#internals);
      states.delete(previous);
      states.add(name);
    } catch {
      // Older browsers have no states, or others than today's.
      this.#element.setAttribute('state', name);
    }
    return previous;
  }
}
