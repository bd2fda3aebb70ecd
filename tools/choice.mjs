// Has the wasm draw the choice of methods, and writes it down as data, so that a page can show it before it has
// the wasm. The views stay written once, in Rust.
//
//   node choice.mjs <glue> <wasm> <output>
//
// The files with the texts stand beside the glue.

import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, transform } from "esbuild";
import { JSDOM } from "jsdom";

/** @typedef {string | [tag: string, attributes: Record<string, string>, children: Drawn[], when?: string]} Drawn as `www/modules.d.ts` says */

/** The element's own module for amounts, which imports nothing. */
const amounts = await readFile(new URL("../www/element/amounts.ts", import.meta.url), "utf8");
const { code } = await transform(amounts, { loader: "ts" });
/** @type {typeof import("../www/element/amounts.ts")} */
const { written } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

/** The methods that the element knows. */
const METHODS = ["QR", "INSTALLMENT", "CASHCODE", "BANK_TRANSFER", "CARD", "WALLET"];

/** The languages that it speaks. @type {Record<string, string>} */
const LANGUAGES = { es: "es-PE", en: "en", pt: "pt-BR" };

/** A page with everything: each value is the place where it stands. The amount is one that no text has. */
const EVERYTHING = {
  amount: "100000001",
  baseUrl: "/",
  currency: "PEN",
  headingLevel: "2",
  locale: LANGUAGES.es,
  merchantName: "{merchant}",
  offers: METHODS,
  hosts: [],
  orderLabel: "{order}",
  pageLanguage: LANGUAGES.es,
  wallets: "{wallets}",
};

/** The values that a page may leave out, by the places that are empty then. @type {Record<string, string>} */
const OPTIONAL = { amount: "amount", merchant: "merchantName", order: "orderLabel" };

const [glue, wasm, output] = process.argv.slice(2);

/** The list of a file beside the glue. @param {string} name @returns {Promise<string[]>} */
const list = async (name) => (await import(pathToFileURL(join(dirname(glue), `${name}.js`)).href)).default;

const { outputFiles } = await build({
  entryPoints: [glue],
  bundle: true,
  define: { "import.meta.url": '"http://localhost/"' },
  format: "iife",
  globalName: "glue",
  write: false,
});
const script = outputFiles[0].text;
const bytes = await readFile(wasm);

/** The screen that the wasm draws with these options. @param {Record<string, unknown>} options */
async function drawn(options) {
  const { window } = new JSDOM("<!doctype html>", {
    pretendToBeVisual: true,
    runScripts: "outside-only",
    url: "http://localhost/",
  });
  // It asks nobody before a method is chosen.
  Object.assign(window, { TextDecoder, TextEncoder, bytes, fetch: () => new Promise(() => {}) });
  window.eval(`${script}; glue.initSync({ module: new Uint8Array(bytes) }); globalThis.mount = glue.mount`);
  const stage = window.document.createElement("div");
  window.document.body.append(stage);
  let state = "";
  const host = { exchanged() {}, keep() {}, showState: (/** @type {string} */ name) => (state = name), tell: () => true };
  window.mount(stage, host, options);
  // It draws in a task of its own.
  await new Promise((resolve) => setTimeout(resolve));
  if (state !== "choosing") throw new Error(`the wasm does not show the choice of methods, but ${state}`);
  const [screen] = data(stage.children[0]);
  window.close();
  return screen;
}

/** @param {Node} node @returns {Drawn[]} */
function data(node) {
  if (node.nodeType === 3) return node.nodeValue ? [node.nodeValue] : [];
  if (node.nodeType !== 1) return [];
  const { tagName, attributes, childNodes } = /** @type {Element} */ (node);
  const named = [...attributes].map(({ name, value }) => [name, value]);
  return [[tagName.toLowerCase(), Object.fromEntries(named), [...childNodes].flatMap(data)]];
}

/** Notes which nodes are not there without a value. @param {Drawn} all @param {Drawn} less @param {string} value */
function compare(all, less, value) {
  if (typeof all === "string" || typeof less === "string") return;
  const left = [...less[2]];
  for (const child of all[2]) {
    const [other] = left;
    if (other && alike(child, other)) compare(child, /** @type {Drawn} */ (left.shift()), value);
    else if (typeof child !== "string") child[3] = value;
  }
}

/** @param {Drawn} one @param {Drawn} other */
function alike(one, other) {
  if (typeof one === "string" || typeof other === "string") return one === other;
  return one[0] === other[0] && one[1].class === other[1].class;
}

/** Notes where the language of the page stands. @param {Drawn} all @param {Drawn} foreign */
function noteLanguage(all, foreign) {
  if (typeof all === "string" || typeof foreign === "string") return;
  if (foreign[1].lang === "xx") all[1].lang = "{page}";
  for (const [at, child] of all[2].entries()) noteLanguage(child, foreign[2][at]);
}

/** The same with another word for each text, tag and attribute. @param {Drawn} node @param {(word: string) => string} change @returns {Drawn} */
function changed(node, change) {
  if (typeof node === "string") return change(node);
  const [tag, attributes, children, ...when] = node;
  const named = Object.entries(attributes).map(([name, value]) => [name, change(value)]);
  return [change(tag), Object.fromEntries(named), children.map((child) => changed(child, change)), ...when];
}

/** The texts of a screen, in their order. @param {Drawn} node @returns {string[]} */
const texts = (node) => (typeof node === "string" ? [node] : node[2].flatMap(texts));

/** @param {Drawn} node @param {string} name @returns {Drawn[] | undefined} the children of the node of this class */
function inside(node, name) {
  if (typeof node === "string") return undefined;
  if (node[1].class === name) return node[2];
  return node[2].map((child) => inside(child, name)).find(Boolean);
}

const keys = (await list("text-keys")).map((entry) => entry.split(" ")[0]);
/** In place of each text the place where it stands. */
const marked = keys.map((key) => `{${key}}`);
const sum = written(LANGUAGES.es, EVERYTHING.amount, EVERYTHING.currency);
const places = { [sum.seen]: "{amount}", [sum.heard]: "{spoken}", [LANGUAGES.es]: "{lang}", h2: "{heading}" };

const screen = await drawn({ ...EVERYTHING, texts: marked });
noteLanguage(screen, await drawn({ ...EVERYTHING, pageLanguage: "xx" }));
for (const [place, option] of Object.entries(OPTIONAL)) {
  compare(screen, await drawn({ ...EVERYTHING, texts: marked, [option]: undefined }), place);
}
/** @type {Record<string, Record<string, string>>} */
const TEXTS = {};
// Without the names of apps there is another text in the place of theirs, and one method has another heading.
for (const other of [{ wallets: undefined }, {}, { offers: METHODS.slice(0, 1) }]) {
  const options = { ...EVERYTHING, ...other };
  const at = texts(await drawn({ ...options, texts: marked }));
  for (const [language, locale] of Object.entries(LANGUAGES)) {
    const said = texts(await drawn({ ...options, locale, texts: language === "es" ? [] : await list(`texts-${language}`) }));
    const pairs = at.flatMap((place, index) => (marked.includes(place) ? [[place.slice(1, -1), said[index]]] : []));
    TEXTS[language] = { ...TEXTS[language], ...Object.fromEntries(pairs) };
  }
}
const SCREEN = changed(screen, (word) => places[word] ?? word);
const buttons = inside(SCREEN, "choices");
if (!buttons || buttons.length !== METHODS.length) throw new Error("the choice of methods has no button for each of them");
const METHOD_BUTTONS = Object.fromEntries(buttons.splice(0, METHODS.length, "{methods}").map((button, at) => [METHODS[at], button]));

/** How each language writes 1234.56 of each currency. */
const AMOUNT_SAMPLES = Object.fromEntries(
  Object.entries(LANGUAGES).map(([language, locale]) => [
    language,
    Object.fromEntries(["PEN", "USD"].map((currency) => [currency, written(locale, "123456", currency).seen])),
  ]),
);
const TEXT_INDEX = Object.fromEntries(Object.keys(TEXTS.es).map((key) => [key, keys.indexOf(key)]));

const constants = Object.entries({ TEXT_INDEX, METHOD_BUTTONS, SCREEN, AMOUNT_SAMPLES, TEXTS });
await writeFile(output, constants.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`).join(""));
