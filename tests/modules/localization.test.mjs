// The texts that cross into the wasm.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { Localization } = await moduleOf("checkout-element/localization");
const { default: english } = await moduleOf("checkout-element/printed/texts-en");

test("without a file there are empty lists: the wasm refuses all options for an undefined list", () => {
  const texts = new Localization(() => {}).now("es-PE", undefined);
  assert.deepEqual(texts, { locale: "es-PE", texts: [], overrides: [] });
});

test("a language is shown from when its file is there", async () => {
  let calls = 0;
  const localization = new Localization(() => (calls += 1));
  assert.equal(localization.now("en", undefined).locale, "es-PE");
  await localization.prepare("en", undefined, Promise.resolve());
  assert.deepEqual(localization.now("en", undefined), { locale: "en", texts: english, overrides: [] });
  assert.equal(calls, 1);
});

test("texts of the page come with their module", async () => {
  const localization = new Localization(() => {});
  await localization.prepare("es-PE", { "bill.total": "Suma" }, Promise.resolve());
  const { texts, overrides } = localization.now("es-PE", { "bill.total": "Suma" });
  assert.deepEqual([texts, overrides[0]], [[], "Suma"]);
});
