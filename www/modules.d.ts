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

/** The glue that wasm-bindgen writes for the wasm of an element, with what `crates/build/xtask/src/wasm/glue.rs` adds to it. */
declare module '*-wasm.js' {
  /** Makes the first instance of the wasm. */
  export function instantiate(module: WebAssembly.Module): Promise<unknown>;
  /** Makes a fresh instance of the same compiled module, and returns what puts it in the place of the last one. */
  export function makeAnother(): Promise<() => void>;
  /** Starts an element's content in a node. */
  export function mount(root: Element, host: object, options: object): import('./shared/wasm.ts').Mounted;
  /** Sets what makes the guards of each instance, before there is one. */
  export function guardWith(make: () => import('./shared/guards.ts').Guards): void;
  /** The one wasm that the glue belongs to. */
  export const binary: { readonly url: URL; readonly integrity: string };
}
