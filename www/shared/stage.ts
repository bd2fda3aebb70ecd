// The node in an element's root into which the wasm draws.

import { soon } from './waiting.ts';

/** A new one, for one instance of the content: Yew listens on the node that it draws into as long as the node lives. */
export function newStage(root: ShadowRoot, signal: AbortSignal): HTMLElement {
  const stage = document.createElement('div');
  // Yew's listeners are put on the root instead: Firefox announces everything in a node with a listener for clicks as
  // clickable, headings too. A root is no such node.
  stage.addEventListener = (type: string, listener: EventListenerOrEventListenerObject, options?: object) =>
    root.addEventListener(type, listener, { ...options, signal });
  return stage;
}

/**
 * The wasm draws in a later task, and `act` is called at its end, before the browser paints. An observer would be called then,
 * too, but a page may have broken it.
 */
export function whenDrawn(stage: HTMLElement, act: () => void) {
  stage.insertBefore = (...nodes) => {
    Reflect.deleteProperty(stage, 'insertBefore');
    soon(act);
    return stage.insertBefore(...nodes);
  };
}

/** Moves the focus to the stage. The wasm's first screen takes it from there. */
export function focusStage(stage: HTMLElement) {
  stage.tabIndex = -1;
  stage.onblur = () => stage.removeAttribute('tabindex');
  stage.focus();
}
