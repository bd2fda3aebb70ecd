// A story that is heard: what the voice really said against the kept text.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Sandbox } from "../../e2e/support/sandbox.mjs";
import { Firefox } from "../../engines/support/firefox.mjs";
import { Payer } from "../../engines/support/payer.mjs";
import { fromHere } from "../../engines/support/requests.mjs";
import { until } from "../../engines/support/until.mjs";
import { servers } from "../../servers.mjs";
import { Desktop } from "./desktop.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const RESULTS = process.env.RESULTS ?? here("../../../target/screen-reader/by-hand");
/** How long a phrase may take to be said, in milliseconds: a code expires meanwhile. */
const PATIENCE = 90_000;
/** The kept text: a title line `== title`, then a phrase a line. */
const KEPT = readFileSync(here("../heard.txt"), "utf8");

const LOCALES = { es: "es_PE.UTF-8", en: "en_US.UTF-8" };

/** What differs between runs has a sign in its place. @param {string} words */
function normalized(words) {
  return words
    .replace(/\b\w{4}(-\w{4}){3}\b/g, "‹recovery code›")
    .replace(/\d{1,2}:\d\d(:\d\d)?( [ap]\.m\.| [AP]M)?/g, "‹time›")
    .replace(/\d+ (minut[oe]|segundo|second)s?(,? \d+ (segundo|second)s?)?/g, "‹left›")
    .replace(/\d( \d)+(, \d( \d)+)*/g, "‹digits›")
    .replace(/\b(?=\w*\d)[0-9A-Z]{6,}\b/g, "‹number›");
}

/** The phrases of a story. @param {string} title */
function phrases(title) {
  const part = KEPT.split(/^== /m).find((part) => part.startsWith(`${title}\n`));
  assert.ok(part, `heard.txt has no “${title}”`);
  return part.split("\n").slice(1).filter(Boolean);
}

/**
 * @typedef {object} Cast
 * @property {"es" | "en"} language
 * @property {Payer} payer
 * @property {import("../../engines/support/engine.mjs").Engine} engine
 * @property {Sandbox} sandbox
 * @property {(key: string) => Promise<void>} press a key of a keyboard, by X's name
 * @property {(words: string) => Promise<void>} hear waits until a phrase was said to its end, and all that follows it
 * @property {() => Promise<void>} rests waits until the voice has said everything
 * @property {(control: string) => Promise<void>} goTo moves the focus to the control with this id, or the button with this
 *   text, as many presses of Tab would
 * @property {(id: string, text: string) => Promise<void>} fill pastes a text into the field with this id
 */

/**
 * Plays a story with the screen reader on. Its phrases have to be said in this order, each to its end; the voice may say
 * more between them.
 *
 * @param {string} title
 * @param {(cast: Cast) => Promise<void>} play
 */
export function heard(title, play) {
  heardIn("es", `${title}, in Spanish`, play);
  heardIn("en", `${title}, in English`, play);
}

/** @param {"es" | "en"} language of the browser, the reader and the shop */
function heardIn(language, title, play) {
  test(title, { timeout: 240_000 }, async () => {
    const results = join(RESULTS, title.toLowerCase().replace(/[^a-z]+/g, "-"));
    const desktop = await Desktop.start(LOCALES[language], results);
    let engine;
    try {
      engine = await Firefox.start({
        program: "/usr/bin/firefox-esr",
        dark: false,
        contrast: false,
        desktop: { environment: desktop.environment, language: language === "es" ? "es-PE,es" : "en-US,en" },
      });
      await play({
        language,
        payer: new Payer(engine, language),
        engine,
        sandbox: new Sandbox(/** @type {any} */ (fromHere(servers.sandbox))),
        press: (key) => desktop.key(key),
        hear: async (words) => {
          await until(`“${words}” to be said`, async () => (await said(desktop)).some((line) => line.includes(words)), PATIENCE);
          await desktop.voice.rests();
        },
        rests: () => desktop.voice.rests(),
        goTo: async (control) => {
          await until(`the control “${control}”`, () => engine.evaluate(focus, control));
        },
        fill: (id, text) => engine.evaluate(paste, id, text),
      });
      for (const phrase of phrases(title)) await inOrder(desktop, title, phrase);
    } finally {
      console.log((await said(desktop)).map((line) => `# ${line}`).join("\n"));
      await engine?.close();
      await desktop.stop();
    }
  });
}

/** What was said to its end. @param {Desktop} desktop */
async function said(desktop) {
  const all = await desktop.voice.said();
  return all.filter(({ ended, cut }) => ended && !cut).map(({ words }) => normalized(words));
}

/** Waits until the story's phrases up to this one were said one after the other. */
async function inOrder(desktop, title, last) {
  const wanted = phrases(title);
  const upTo = wanted.slice(0, wanted.indexOf(last) + 1);
  await until(`“${last}” after what comes before it`, async () => {
    let lines = await said(desktop);
    return upTo.every((phrase) => {
      const at = lines.findIndex((line) => line.includes(phrase));
      lines = lines.slice(at + 1);
      return at >= 0;
    });
  }, PATIENCE);
}

/** Runs in the page. Returns false while there is no such control. */
function focus(control) {
  const root = document.querySelector("payment-checkout, payment-operations").shadowRoot;
  const buttons = [...root.querySelectorAll("button")];
  const found = root.getElementById(control) ?? buttons.find((button) => button.textContent.trim() === control);
  found?.focus();
  return Boolean(found);
}

/** Runs in the page. */
function paste(id, text) {
  const field = document.querySelector("payment-operations").shadowRoot.getElementById(id);
  /** @type {HTMLInputElement} */ (field).value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
}
