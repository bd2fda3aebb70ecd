// The screen that a payer sees, for scripts and style sheets of the page.

/** `ElementInternals` of browsers that have custom states. */
type WithStates = ElementInternals & { states: Set<string> };

/** The name of the present screen. In browsers that have custom states it is one of the element. */
export class ScreenState {
  #element;
  #internals: ElementInternals | undefined;
  name = 'loading';

  constructor(element: HTMLElement) {
    this.#element = element;
    this.#internals = element.attachInternals?.();
  }

  /** Sets the name, and returns the one before, or nothing if it is the same. */
  becomes(name: string) {
    const previous = this.name;
    if (name === previous) return undefined;
    this.name = name;
    try {
      const { states } = this.#internals as WithStates;
      states.delete(previous);
      states.add(name);
    } catch {
      // Older browsers have no states, or take other names for them.
      this.#element.setAttribute('state', name);
    }
    return previous;
  }
}
