// The language of an element, the texts that cross into the wasm, and those of the page in place of the element's.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { isOf, languageAround, languageFor, languageOf, tagOf } = await moduleOf("shared/locale");
const { Localization } = await moduleOf("checkout-element/localization");
const { default: english } = await moduleOf("checkout-element/printed/texts-en");
const { overrides } = await moduleOf("checkout-element/overrides");
const { default: keys } = await moduleOf("checkout-element/printed/text-keys");

const LANGUAGES = { es: [], en: [], pt: [] };

/** An element in a page of a language. */
class Element {
  /** @type {Record<string, string | undefined>} */
  attributes;
  lang = "";

  constructor(/** @type {Record<string, string | undefined>} */ attributes = {}, lang = "") {
    this.attributes = attributes;
    this.lang = lang;
  }

  getAttribute = (/** @type {string} */ name) => this.attributes[name] ?? null;
  hasAttribute = (/** @type {string} */ name) => name in this.attributes;
  closest = () => ({ getAttribute: () => this.lang });
  getRootNode = () => ({});
}

Reflect.set(globalThis, "document", { documentElement: { lang: "" } });

/** The language of an element after each of these changes. */
function spoken(/** @type {(Record<string, string | undefined> & { lang?: string })[]} */ ...changes) {
  const element = new Element();
  const language = languageFor(element, LANGUAGES);
  return changes.map(({ lang, ...attributes }) => {
    element.lang = lang ?? element.lang;
    Object.assign(element.attributes, attributes);
    return language();
  });
}

test("a tag with an underscore is the tag with a hyphen", () => {
  assert.equal(tagOf("zh_Hant_TW"), "zh-Hant-TW");
  assert.equal(new Intl.Locale(tagOf("en_US")).language, "en");
  for (const tag of ["en", "EN", "en-US", "en_US"]) assert.equal(languageOf(tag), "en", tag);
  assert.equal(languageAround(new Element({}, "pt_BR")), "pt-BR");
});

test("a language such as 'constructor', or none at all, is not one of ours", () => {
  for (const tag of ["constructor", "toString-US", "", null]) assert.equal(isOf(LANGUAGES, tag), false, String(tag));
  assert.equal(isOf(LANGUAGES, "Pt_br"), true);
});

test("an element speaks the language of its attribute, or of the page, as a tag that browsers read", () => {
  assert.deepEqual(spoken({ locale: "en_US" }), ["en-US"]);
  assert.deepEqual(spoken({ lang: "en" }, { locale: "pt_BR" }, { locale: undefined }), ["en", "pt-BR", "en"]);
});

test("a language that is unknown keeps the last one that was known", () => {
  assert.deepEqual(spoken({ lang: "en" }, { lang: "fr" }, { lang: "pt" }, { locale: "qu" }), ["en", "en", "pt", "pt"]);
  assert.deepEqual(spoken({ locale: "en", lang: "es" }, { locale: "fr" }), ["en", "en"]);
});

test("a language that is unknown from the beginning is the element's word for it, or the page's, or Spanish", () => {
  assert.deepEqual(spoken({ lang: "fr" }, { "fallback-locale": "pt_BR" }, { lang: "en" }), ["es-PE", "pt-BR", "en"]);
  assert.deepEqual(spoken({ locale: "fr" }, { lang: "en" }, { lang: "pt" }), ["es-PE", "en", "pt"]);
  assert.deepEqual(spoken({ lang: "fr", "fallback-locale": "de" }), ["es-PE"]);
});

test("the language of the page's own texts is a tag that browsers read", async () => {
  const localization = new Localization(() => {});
  const own = { locale: "qu_PE", "bill.total": "Llapan" };
  await localization.prepare("es-PE", own, Promise.resolve());
  assert.equal(localization.now("es-PE", own).textsLocale, "qu-PE");
  assert.equal(localization.now("es-PE", { "bill.total": "Llapan" }).textsLocale, undefined);
});

/** What the wasm has where the page names no language of its texts. */
const NO_LANGUAGE = { textsLocale: undefined, textsDirection: undefined };

test("without a file there are empty lists: the wasm refuses all options for an undefined list", () => {
  const texts = new Localization(() => {}).now("es-PE", undefined);
  assert.deepEqual(texts, { locale: "es-PE", texts: [], overrides: [], ...NO_LANGUAGE });
});

test("a language is shown from when its file is there", async () => {
  let calls = 0;
  const localization = new Localization(() => (calls += 1));
  assert.equal(localization.now("en", undefined).locale, "es-PE");
  await localization.prepare("en", undefined, Promise.resolve());
  assert.deepEqual(localization.now("en", undefined), { locale: "en", texts: english, overrides: [], ...NO_LANGUAGE });
  assert.equal(calls, 1);
});

test("texts of the page come with their module", async () => {
  const localization = new Localization(() => {});
  await localization.prepare("es-PE", { "bill.total": "Suma" }, Promise.resolve());
  const { texts, overrides } = localization.now("es-PE", { "bill.total": "Suma" });
  assert.deepEqual([texts, overrides[0]], [[], "Suma"]);
});

const warn = mock.method(console, "warn", () => {});
const warnings = () => warn.mock.calls.map(({ arguments: [message] }) => message.replace("payment-checkout: messages: ", ""));
beforeEach(() => warn.mock.resetCalls());

const at = (/** @type {string} */ key) => keys.findIndex((/** @type {string} */ entry) => entry.split(" ")[0] === key);

test("a text of the page is at the place of the one that it replaces", () => {
  const texts = overrides({ "choose.heading": "Pick", "bill.total": "Sum" });
  assert.equal(texts[at("choose.heading")], "Pick");
  assert.equal(texts[at("bill.total")], "Sum");
  assert.equal(texts.filter((/** @type {unknown} */ text) => text !== undefined).length, 2);
  assert.deepEqual(warnings(), []);
});

test("what is no text changes nothing", () => {
  for (const own of [{ "choose.heading": 5 }, "choose.heading", null, { toJSON: () => null }]) assert.deepEqual(overrides(own), []);
});

test("an object that throws when it is read changes nothing", () => {
  const own = Object.defineProperty({}, "choose.heading", { enumerable: true, get: () => { throw new Error("no"); } });
  assert.deepEqual(overrides(own), []);
});

test("an unknown key is reported once, with the nearest key", () => {
  overrides({ "qr.scan-stop": "Scan" });
  overrides({ "qr.scan-stop": "Scan" });
  overrides({ zebra: "" });
  assert.deepEqual(warnings(), ["there is no text named qr.scan-stop; the nearest is qr.scan-step", "there is no text named zebra"]);
});

test("a value that is unknown or left out is reported", () => {
  overrides({ "qr.verify-payee-step": "Pay {amount} to {shop} {" });
  assert.deepEqual(warnings(), ["qr.verify-payee-step has no value for {shop}", "qr.verify-payee-step leaves out {payee}"]);
});
