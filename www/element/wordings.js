// The texts that the wasm does not have: those of another language than Spanish, and those of the page. They come
// as files beside the wasm, while it comes.

import { diagnose } from '../shared/diagnosis.js';
import { choiceTexts } from './choice.js';

/** A text of a language, a text of the page in a list, or nothing. @typedef {(string | [string] | undefined)[]} Texts */

/** The language that the wasm has. */
const OWN = 'es-PE';

/** How long a payer waits for texts once the wasm is there, in milliseconds. */
const PATIENCE = 100;

/** The files that came, for every element of the page. @type {{ en?: string[], pt?: string[], messages?: typeof import('./messages.js') }} */
const there = {};

/** Takes each file, once somebody needs it. @type {Record<string, () => Promise<void>>} */
const FILES = {
  en: async () => void (there.en = (await import('./texts-en.js')).default),
  pt: async () => void (there.pt = (await import('./texts-pt.js')).default),
  messages: async () => void (there.messages = await import('./messages.js')),
};

/** @type {Record<string, Promise<void>>} */
const coming = {};

/** Loads a file once. Without it the texts of the wasm stand there. @param {string} name */
function load(name) {
  return (coming[name] ??= FILES[name]().catch((reason) => {
    diagnose('warn', () => [`payment-checkout: the texts (${name}) could not be loaded, so others stand there`, reason]);
  }));
}

/** The files that this takes. @param {string} locale @param {unknown} own */
function needed(locale, own) {
  const language = locale.split(/[-_]/)[0].toLowerCase();
  return [...(language === 'en' || language === 'pt' ? [language] : []), ...(own ? ['messages'] : [])];
}

/** @param {string} name */
const isThere = (name) => name in there;

/** The texts of one element. */
export class Wordings {
  /** Called when texts came that the element has to show now. @type {() => void} */
  #came;
  /** The language that the element shows. */
  #shown = OWN;
  /** True on the first screen, whose texts are always there. */
  #choice = true;
  /** The files that came too late for the screen that stands. @type {string[]} */
  #late = [];

  /** @param {() => void} came */
  constructor(came) {
    this.#came = came;
  }

  /**
   * Loads the texts, for no longer than a payer may wait.
   * @param {string} locale @param {unknown} own
   * @param {Promise<unknown>} wasm for which the payer waits anyway
   */
  async prepare(locale, own, wasm) {
    const names = needed(locale, own);
    const texts = Promise.all(names.map(load));
    await wasm;
    const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
    await Promise.race([texts, patience]);
    this.#late = names.filter((name) => !isThere(name));
  }

  /** Another screen stands now, which may be the first in the page's language. @param {string} state */
  turned(state) {
    const isChoice = state === 'choosing';
    const missed = this.#choice && !isChoice && this.#late.length > 0;
    this.#choice = isChoice;
    const arrived = this.#late.some(isThere);
    if (arrived) this.#late = [];
    if (arrived || missed) this.#came();
  }

  /**
   * The language that the element can speak, and the texts for the wasm.
   * @param {string} locale @param {Record<string, unknown> | undefined} own the texts of the page
   * @returns {{ locale: string, texts?: Texts }}
   */
  now(locale, own) {
    const names = needed(locale, own);
    // The first screen stands already in the language of the page.
    if (this.#choice && names.some((name) => this.#late.includes(name))) return { locale, texts: choiceTexts(locale, own) };
    for (const name of names.filter((name) => !isThere(name) && !this.#late.includes(name))) {
      // A language that the page changed to is shown as soon as it is there.
      load(name).then(() => isThere(name) && this.#came());
    }
    const [language] = names;
    if (language !== 'en' && language !== 'pt') this.#shown = OWN;
    else if (there[language]) this.#shown = locale;
    const [shown] = needed(this.#shown, undefined);
    const texts = there[/** @type {'en' | 'pt'} */ (shown)];
    return { locale: this.#shown, texts: own && there.messages ? there.messages.placed(own, texts) : texts };
  }
}
