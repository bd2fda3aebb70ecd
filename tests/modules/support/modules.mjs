// The modules of the elements, as `tools/transpile.mjs` writes them, and small stand-ins for the files that only a build
// writes.

import { register } from "node:module";

/** Files of a build, as they would be. @type {Record<string, string>} */
const BUILT = {
  "text-keys.js": 'export default ["bill.total", "qr.heading", "qr.step payee amount", "choose.heading"]',
  "payment-checkout-choice.js": `
    export const AMOUNT_SAMPLES = {};
    export const METHOD_BUTTONS = { QR: "", INSTALLMENT: "", CASHCODE: "" };
    export const SCREEN = "";
    export const TEXTS = { es: { "choose.heading": "Elige" }, en: { "choose.heading": "Choose" } };
    export const TEXT_INDEX = { "choose.heading": 3 };`,
};

register(
  `data:text/javascript,${encodeURIComponent(`
    const built = ${JSON.stringify(BUILT)};
    export function resolve(name, context, next) {
      const file = built[name.replace("./", "")];
      if (file === undefined) return next(name, context);
      return { url: "data:text/javascript," + encodeURIComponent(file), shortCircuit: true };
    }`)}`,
);

const MODULES = new URL("../../../target/www-js/", import.meta.url);

/** A module of `www`, as in `element/amounts`. @returns {Promise<any>} */
export const moduleOf = (/** @type {string} */ name) => import(new URL(`${name}.js`, MODULES).href);
