// The message that replaces an element when its wasm does not run.

/**
 * Heading, explanation and action, for a load that failed, for a browser that cannot run the wasm,
 * and for a wasm that stopped, by language: Spanish, which replaces missing ones, and others.
 * @typedef {Record<'load' | 'unable' | 'crash', [heading: string, explanation: string, action?: string]>} FailureText
 * @typedef {{ es: FailureText, [language: string]: FailureText }} FailureTexts
 */

/**
 * @param {FailureTexts} texts
 * @param {'load' | 'unable' | 'crash'} kind
 * @param {string} locale
 * @param {(() => void) | undefined} retry
 * @returns {HTMLElement}
 */
export function failure(texts, kind, locale, retry) {
  const asked = locale.split(/[-_]/)[0].toLowerCase();
  const language = Object.hasOwn(texts, asked) ? asked : 'es';
  const [heading, explanation, action] = texts[language][kind];
  const box = document.createElement('div');
  box.lang = language;
  box.className = 'failure';
  box.setAttribute('part', 'failure');
  box.setAttribute('role', 'alert');
  const title = document.createElement('h2');
  title.textContent = heading;
  const text = document.createElement('p');
  text.textContent = explanation;
  box.append(title, text);
  if (retry) {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('part', 'button');
    button.textContent = action ?? '';
    button.addEventListener('click', retry);
    box.append(button);
  }
  return box;
}
