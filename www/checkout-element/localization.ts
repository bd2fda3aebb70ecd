// The texts that the wasm does not have: other languages than Spanish, and texts of the page. They are files, which the
// element loads while it loads the wasm.

import { diagnose } from '../shared/diagnosis.ts';
import { languageOf, tagOf } from '../shared/locale.ts';
import { later } from '../shared/waiting.ts';
import { choiceTexts, type Texts } from './choice.ts';
import { TEXT_FILES } from './printed/text-files.ts';

/** The language that the wasm has. */
const WASM_LANGUAGE = 'es-PE';

/** How long a payer waits for texts once the wasm is there. */
const TEXTS_TIMEOUT_MS = 100;

/** A language that is a file, or `messages`: what reads the texts of a page. */
type FileName = string;

/** The files that were loaded, for every element of the page. */
const loaded: Record<FileName, string[]> = {};
let overrides: typeof import('./overrides.ts').overrides | undefined;

const loading: Record<FileName, Promise<void>> = {};

async function loadFile(name: FileName) {
  if (name === 'messages') ({ overrides } = await import('./overrides.ts'));
  else loaded[name] = (await TEXT_FILES[name]()).default;
}

/** Loads a file once. Without it the checkout shows the texts of the wasm. */
function load(name: FileName) {
  return (loading[name] ??= loadFile(name).catch((reason) => {
    diagnose('warn', () => [`payment-checkout: could not load the texts (${name}), so the checkout keeps those that it has`, reason]);
  }));
}

const fileOf = (locale: string) => [languageOf(locale)].find((language) => language in TEXT_FILES);

/** The files that a language and texts of the page need. */
function needed(locale: string, own: unknown): FileName[] {
  const language = fileOf(locale);
  return [...(language ? [language] : []), ...(own ? ['messages'] : [])];
}

const isLoaded = (name: FileName) => (name === 'messages' ? Boolean(overrides) : name in loaded);

/** The texts of one element. */
export class Localization {
  #onTexts: () => void;
  /** The language that the element shows. */
  #shown = WASM_LANGUAGE;
  /** True on the first screen, whose texts are always there. */
  #choice = true;
  /** The files that were not loaded in time for the present screen. */
  #late: FileName[] = [];

  /** `onTexts` is called when there are texts that the element has to show now. */
  constructor(onTexts: () => void) {
    this.#onTexts = onTexts;
  }

  /** Waits for the texts, and no longer than `TEXTS_TIMEOUT_MS` after the wasm, for which the payer waits anyway. */
  async prepare(locale: string, own: unknown, wasm: Promise<unknown>) {
    const names = needed(locale, own);
    const texts = Promise.all(names.map(load));
    await wasm;
    const timeout = new Promise<void>((resolve) => later(resolve, TEXTS_TIMEOUT_MS));
    await Promise.race([texts, timeout]);
    this.#late = names.filter((name) => !isLoaded(name));
  }

  /** The screen changed. Files that were late may apply now. */
  screenChanged(state: string) {
    const isChoice = state === 'choosing';
    const missed = this.#choice && !isChoice && this.#late.length > 0;
    this.#choice = isChoice;
    const arrived = this.#late.some(isLoaded);
    if (arrived) this.#late = [];
    if (arrived || missed) this.#onTexts();
  }

  /** The language that the element can show, and the texts for the wasm, with those of the page. */
  now(locale: string, own: Record<string, unknown> | undefined): Texts & { locale: string } {
    const names = needed(locale, own);
    // The first screen is in the language of the page already.
    if (this.#choice && names.some((name) => this.#late.includes(name))) return { locale, ...choiceTexts(locale, own) };
    for (const name of names.filter((name) => !isLoaded(name) && !this.#late.includes(name))) {
      // A language that the page changed to is shown as soon as its file is loaded.
      load(name).then(() => isLoaded(name) && this.#onTexts());
    }
    const language = fileOf(locale);
    if (!language) this.#shown = WASM_LANGUAGE;
    else if (loaded[language]) this.#shown = locale;
    const shown = fileOf(this.#shown);
    const texts = (shown ? loaded[shown] : undefined) ?? [];
    const read = own && overrides ? overrides : () => [];
    // The language and the direction that the page names are those of its texts.
    const { locale: textsLocale, dir } = (overrides && own) ?? {};
    return {
      locale: this.#shown,
      texts,
      overrides: read(own ?? {}),
      textsLocale: word(textsLocale),
      textsDirection: word(dir),
    };
  }
}

/** A tag or another word of the page. */
const word = (value: unknown) => (typeof value === 'string' ? tagOf(value) : undefined);
