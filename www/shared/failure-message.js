// The message that replaces an element when its wasm does not run.

/**
 * A load that failed, a page that is older than its files, a browser that cannot run the wasm, a wasm
 * that stopped, and one that stopped again after a reload.
 * @typedef {'load' | 'outdated' | 'unable' | 'crash' | 'again'} FailureKind
 */

/**
 * Heading, explanation and action for each, and the words before the operation's number, by language:
 * Spanish, which replaces missing ones, and others.
 * The label of the link to a page that works without the wasm is `elsewhere`.
 * @typedef {Record<FailureKind, [heading: string, explanation: string, action?: string]> & { number?: string, elsewhere?: string }} FailureText
 * @typedef {{ es: FailureText, [language: string]: FailureText }} FailureTexts
 */

/**
 * @param {{ texts: FailureTexts, kind: FailureKind, locale: string, level: string | null, number: string, retry?: () => void, elsewhere?: string }} facts
 * @returns {HTMLElement}
 */
export function failure({ texts, kind, locale, level, number, retry, elsewhere }) {
  const asked = locale.split(/[-_]/)[0].toLowerCase();
  // A language such as "constructor" is not one of ours.
  const language = Object.keys(texts).includes(asked) ? asked : 'es';
  const [heading, explanation, action] = texts[language][kind];
  const box = document.createElement('div');
  box.lang = language;
  box.className = 'failure';
  box.setAttribute('part', 'failure');
  box.setAttribute('role', 'alert');
  const title = document.createElement(/^[1-6]$/.test(level ?? '') ? `h${level}` : 'h2');
  title.className = 'title';
  title.textContent = heading;
  const text = document.createElement('p');
  text.textContent = explanation;
  box.append(title, text);
  if (number && texts[language].number) {
    const named = document.createElement('p');
    const written = document.createElement('span');
    written.className = 'number';
    written.append(...pieces(number));
    named.append(`${texts[language].number}: `, written);
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
  if (elsewhere) {
    const link = document.createElement('a');
    link.href = elsewhere;
    link.setAttribute('part', 'button');
    link.className = 'button';
    link.textContent = texts[language].elsewhere ?? '';
    box.append(link);
  }
  // The merchant's next step after an error.
  const slot = document.createElement('slot');
  slot.name = 'failed';
  box.append(slot);
  return box;
}

/**
 * An operation number as the wasm shows it: groups of four, the last one never a single digit. The room between them is
 * no character, so that whoever copies the number has the number alone.
 * @param {string} number
 */
function pieces(number) {
  if (!/^[a-z0-9]{6,}$/i.test(number)) return [number];
  return (number.match(/.{4}(?!.$)|.{3}(?=..$)|.+$/g) ?? []).map((group) => {
    const piece = document.createElement('span');
    piece.className = 'piece group';
    piece.textContent = group;
    return piece;
  });
}
