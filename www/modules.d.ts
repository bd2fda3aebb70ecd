// What the modules take from the build. The types are declared here, so that no type check waits for a wasm.

/** The version of the package. */
declare const VERSION: string;

/** The text of a style sheet; the build writes it into the module that imports it. */
declare module '*.css' {
  const css: string;
  export default css;
}

/** The glue of the gallery. Of two patterns that fit a name the first counts, so it stands before that of the elements. */
declare module '*/payment-gallery-wasm.js' {
  export default function init(source: { module_or_path: Promise<Response> }): Promise<unknown>;
  export const binary: { readonly url: URL; readonly integrity: string };
  /** Draws a screen into an empty element of a shadow root. */
  export function draw(root: Element, screen: string, unusual: string, locale: string): Drawn;
  export class Drawn {
    remove(): void;
  }
  export function locales(): string[];
  export function screens(): string[];
  /** The property `state` of the element on each of the screens. */
  export function states(): string[];
  export function unusualData(): string[];
}

/** The glue that wasm-bindgen writes for the wasm of an element, with what `xtask/src/wasm/glue.rs` adds to it. */
declare module '*-wasm.js' {
  /** Loads the wasm. */
  export default function init(source: { module_or_path: Response }): Promise<unknown>;
  /** Starts an element's content in a node. */
  export function mount(root: Element, host: object, options: object): import('./shared/wasm.ts').Mounted;
  /** Sets what guards the exports of the wasm, before it is loaded. */
  export function guardWith(guard: (exports: WebAssembly.Exports) => WebAssembly.Exports): void;
  /** The one wasm that the glue belongs to. */
  export const binary: { readonly url: URL; readonly integrity: string };
}

/** The choice of methods as data, which `tools/choice.mjs` takes out of the wasm. */
declare module '*-choice.js' {
  /**
   * A node as data: a text, or a tag with its attributes and children. `when` names the value without which there is
   * no such node. In texts and attributes `{…}` is the place of a value, or of a text by its key.
   */
  export type Drawn = string | [tag: string, attributes: Record<string, string>, children: Drawn[], when?: string];
  /** Amounts of 1234.56 by language and currency. */
  export const AMOUNT_SAMPLES: Record<string, Record<string, string>>;
  export const METHOD_BUTTONS: Record<string, Drawn>;
  export const SCREEN: Drawn;
  /** The texts of the screen, by language and key. */
  export const TEXTS: Record<string, Record<string, string>>;
  /** The place of each of them in the list of all texts. */
  export const TEXT_INDEX: Record<string, number>;
}

/** The texts of a language that the wasm does not have. */
declare module '*/texts-en.js' {
  const texts: string[];
  export default texts;
}
declare module '*/texts-pt.js' {
  const texts: string[];
  export default texts;
}

/** The key of each text, followed by the names of its values. */
declare module '*/text-keys.js' {
  const keys: string[];
  export default keys;
}
