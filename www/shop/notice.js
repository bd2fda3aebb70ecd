import { make } from "./make.js";
import { Problem } from "./server.js";
import { text } from "./texts.js";

/**
 * Shows calmly what went wrong, with a way to try again where there is one.
 *
 * @param {HTMLElement} place
 * @param {unknown} error
 * @param {{ lead?: string, retry?: () => void }} [options]
 */
export function showProblem(place, error, { lead, retry } = {}) {
  const sentence = error instanceof Problem ? error.sentence : text("serverTrouble");
  const parts = [make("p", {}, lead === undefined ? sentence : `${lead} ${sentence}`)];
  if (error instanceof Problem && error.detail !== null && error.status < 500) {
    parts.push(make("p", { className: "small-print" }, error.detail));
  }
  const nodes = /** @type {Node[]} */ (parts);
  if (retry !== undefined) {
    nodes.push(make("button", { type: "button", className: "button small outline", onclick: retry }, text("again")));
  }
  place.replaceChildren(...nodes);
  place.hidden = false;
}

/** @param {HTMLElement} place */
export function clearProblem(place) {
  place.hidden = true;
  place.replaceChildren();
}
