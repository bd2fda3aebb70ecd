/** The version of the package, which the build writes. */
declare const VERSION: string;

/** The text of a style sheet; the build writes it into the module that imports it. */
declare module '*.css' {
  const css: string;
  export default css;
}
