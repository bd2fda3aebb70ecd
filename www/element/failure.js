// What stands in an element's place when its wasm does not run.

/**
 * Heading, explanation and action, for a load that failed and for a wasm that stopped, by
 * language.
 * @typedef {Record<'es' | 'en', Record<'load' | 'crash', [string, string, string]>>} FailureTexts
 */

/**
 * @param {FailureTexts} texts
 * @param {'load' | 'crash'} kind
 * @param {string} locale
 * @param {() => void} retry
 * @returns {HTMLElement}
 */
export function failure(texts, kind, locale, retry) {
  const [heading, explanation, action] = texts[locale.startsWith('en') ? 'en' : 'es'][kind];
  const box = document.createElement('div');
  box.className = 'failure';
  box.setAttribute('part', 'failure');
  box.setAttribute('role', 'alert');
  const title = document.createElement('h2');
  title.textContent = heading;
  const text = document.createElement('p');
  text.textContent = explanation;
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('part', 'button');
  button.textContent = action;
  button.addEventListener('click', retry);
  box.append(title, text, button);
  return box;
}
