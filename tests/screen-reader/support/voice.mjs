// What the voice really said, from the log of the speech server. A text that was asked for and never begun, or that was
// cut off, is told from one that was said to its end.

import { readFile } from "node:fs/promises";
import { until } from "../../engines/support/until.mjs";

/** So long, in milliseconds, the voice pauses when it has said everything. */
const REST = 1_500;

/** @typedef {{ words: string, begun: boolean, cut: boolean, ended: boolean }} Utterance */

const LINE = /^\[\w+ \w+ +\d+ [\d:]+ \d+ : \d+\] speechd: +/m;
const ASKED = /^(\d+):DATA:\|(<speak>.*?<\/speak>)/s;
const NUMBERED = /^(\d+):REPLY:\|225-(\d+)/;
const EVENT = /^\d+:REPLY:\|(70[0-3])-(\d+)/;

/** @param {string} marked a text with a mark before each word */
function plain(marked) {
  const entities = { apos: "'", quot: '"', amp: "&", lt: "<", gt: ">" };
  return marked
    .replace(/<[^>]*>/g, "")
    .replace(/&(\w+);/g, (whole, name) => entities[name] ?? whole)
    .replace(/[\s\u00a0]+/g, " ")
    .trim();
}

/** The voice of one screen reader. */
export class Voice {
  #log;

  /** @param {string} log the file that the speech server writes */
  constructor(log) {
    this.#log = log;
  }

  /** Waits until it has said everything, and begins nothing else. A key would cut it off. */
  async rests() {
    let before = "";
    let since = performance.now();
    await until("the voice to rest", async () => {
      const all = await this.said();
      const now = JSON.stringify(all);
      if (now !== before) [before, since] = [now, performance.now()];
      const speaks = all.some(({ begun, ended, cut }) => begun && !ended && !cut);
      return !speaks && performance.now() - since > REST;
    });
  }

  /** Everything since the start. @returns {Promise<Utterance[]>} */
  async said() {
    const text = await readFile(this.#log, "utf8").catch(() => "");
    const asked = new Map();
    /** @type {Map<string, Utterance>} */
    const all = new Map();
    for (const entry of text.split(LINE)) {
      const [, by, marked] = entry.match(ASKED) ?? [];
      if (by) asked.set(by, plain(marked));
      const [, whose, number] = entry.match(NUMBERED) ?? [];
      if (whose && asked.has(whose)) {
        all.set(number, { words: asked.get(whose), begun: false, cut: false, ended: false });
        asked.delete(whose);
      }
      const [, event, of] = entry.match(EVENT) ?? [];
      const utterance = of && all.get(of);
      if (!utterance) continue;
      if (event === "701") utterance.begun = true;
      if (event === "702") utterance.ended = true;
      if (event === "703") utterance.cut = true;
    }
    return [...all.values()];
  }
}
