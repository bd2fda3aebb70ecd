// The message that replaces an element when its wasm does not run.

import { headingLevel } from './custom-element.ts';
import { languageOf } from './locale.ts';

/**
 * The load failed, the page is older than its files, the browser cannot run the wasm, the wasm stopped, or it stopped
 * again after a reload.
 */
export type FailureKind = 'load' | 'outdated' | 'unable' | 'crash' | 'again';

type FailureText = Record<FailureKind, [heading: string, explanation: string, action?: string]> & {
  /** The words before the operation's number. */
  number?: string;
  /** The label of the link to a page that works without the wasm. */
  elsewhere?: string;
};

/** The texts by language: those that the element has. */
export type FailureTexts = { es: FailureText; [language: string]: FailureText };

interface Failure {
  texts: FailureTexts;
  kind: FailureKind;
  /** A language of the texts. */
  locale: string;
  /** The level of the heading. */
  level: string | null;
  number: string;
  retry?: () => void;
  elsewhere?: string;
}

export function failure({ texts, kind, locale, level, number, retry, elsewhere }: Failure): HTMLElement {
  const language = languageOf(locale);
  const [heading, explanation, action] = texts[language][kind];
  const box = document.createElement('div');
  box.lang = language;
  box.className = 'failure';
  box.setAttribute('part', 'failure');
  box.setAttribute('role', 'alert');
  const title = document.createElement(`h${headingLevel(level)}`);
  title.className = 'title';
  title.textContent = heading;
  const text = document.createElement('p');
  text.textContent = explanation;
  box.append(title, text);
  if (number && texts[language].number) {
    const line = document.createElement('p');
    const digits = document.createElement('span');
    digits.className = 'number';
    digits.translate = false;
    digits.append(...pieces(number));
    line.append(`${texts[language].number}: `, digits);
    box.append(line);
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
 * An operation number as the wasm shows it: groups of four, the last one never a single digit. The style sheet makes the
 * room between them, so that a copy of the number has no spaces.
 */
function pieces(number: string) {
  if (!/^[a-z0-9]{6,}$/i.test(number)) return [number];
  return (number.match(/.{4}(?!.$)|.{3}(?=..$)|.+$/g) ?? []).map((group) => {
    const piece = document.createElement('span');
    piece.className = 'piece group';
    piece.textContent = group;
    return piece;
  });
}
