// The modules of the elements, as `npm/tools/transpile.mjs` writes them.

const MODULES = new URL("../../../target/www-js/", import.meta.url);

/** A module of `www`, as in `checkout-element/amounts`. @returns {Promise<any>} */
export const moduleOf = (/** @type {string} */ name) => import(new URL(`${name}.js`, MODULES).href);
