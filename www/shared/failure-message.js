// The message that replaces an element when its wasm does not run.

/**
 * A load that failed, a page that is older than its files, a browser that cannot run the wasm, a wasm
 * that stopped, and one that stopped again after a reload.
 * @typedef {'load' | 'outdated' | 'unable' | 'crash' | 'again'} FailureKind
 */

/**
 * Heading, explanation and action for each, and the words before the operation's number, by language:
 * Spanish, which replaces missing ones, and others.
 * @typedef {Record<FailureKind, [heading: string, explanation: string, action?: string]> & { number?: string }} FailureText
 * @typedef {{ es: FailureText, [language: string]: FailureText }} FailureTexts
 */

/**
 * @param {{ texts: FailureTexts, kind: FailureKind, locale: string, number: string, retry?: () => void }} facts
 * @returns {HTMLElement}
 */
export function failure({ texts, kind, locale, number, retry }) {
  const asked = locale.split(/[-_]/)[0].toLowerCase();
  // A language such as "constructor" is not one of ours.
  const language = Object.keys(texts).includes(asked) ? asked : 'es';
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
  if (number && texts[language].number) {
    const named = document.createElement('p');
    named.textContent = `${texts[language].number}: ${number}`;
    box.append(named);
  }
  if (retry) {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('part', 'button');
    button.textContent = action ?? '';
    button.addEventListener('click', retry);
    box.append(button);
  }
  // The merchant's next step after an error.
  const slot = document.createElement('slot');
  slot.name = 'failed';
  box.append(slot);
  return box;
}
