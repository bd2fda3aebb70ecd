// What a frame with `sandbox` forbids. A browser then does nothing where something is asked for, and throws no error.

/** True if a frame around this page has a `sandbox` without this word, as far as the page may see its frames. */
export function lacks(word: string) {
  for (let at: Window = globalThis as unknown as Window; at.frameElement; at = at.parent) {
    const { sandbox } = at.frameElement as HTMLIFrameElement;
    if (at.frameElement.hasAttribute('sandbox') && !sandbox.contains(word)) return true;
  }
  return false;
}
