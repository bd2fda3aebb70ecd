import { make } from "./dom.js";
import { Problem } from "./server.js";
import { text } from "./texts.js";

/**
 * Shows an error calmly, with a way to try again if there is one.
 *
 * @param {HTMLElement} place
 * @param {unknown} error
 * @param {{ lead?: string, retry?: () => void }} [options]
 */
export function showProblem(place, error, { lead, retry } = {}) {
  const sentence = error instanceof Problem ? error.sentence : text("serverTrouble");
  place.replaceChildren(make("p", {}, lead === undefined ? sentence : `${lead} ${sentence}`));
  if (retry !== undefined) {
    place.append(
      make("button", { type: "button", className: "button small outline", onclick: retry }, text("again")),
    );
  }
  place.hidden = false;
}

/** @param {HTMLElement} place */
export function clearProblem(place) {
  place.hidden = true;
  place.replaceChildren();
}
