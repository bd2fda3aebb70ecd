// A story is a test that the engines play, each in a run of its own.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Sandbox } from "../../e2e/support/sandbox.mjs";
import { servers } from "../../servers.mjs";
import { name, start } from "./engine.mjs";
import { Payer } from "./payer.mjs";
import { fromHere } from "./requests.mjs";

const results =
  process.env.RESULTS ?? fileURLToPath(new URL("../../../target/engines/by-hand", import.meta.url));

/** Engines that can run the wasm under a strict policy. */
export const PAYING = ["firefox", "webkit", "chromium-103"];

/** Engines that are older than that. */
export const UNABLE = ["chromium-92"];

/**
 * @typedef {object} Cast
 * @property {Payer} payer
 * @property {import("./engine.mjs").Engine} engine
 * @property {Sandbox} sandbox
 * @property {(title: string) => Promise<void>} photograph writes a picture of the view to the results
 */

/**
 * Registers a story for the engine of this run, if it is among those that play it.
 *
 * @param {string} title
 * @param {(cast: Cast) => Promise<void>} play
 * @param {object} [more]
 * @param {string[]} [more.engines]
 * @param {Partial<import("./engine.mjs").Start>} [more.look]
 */
export function story(title, play, { engines = PAYING, look } = {}) {
  if (!engines.includes(name)) return;
  test(title, { timeout: 120_000 }, async ({ signal }) => {
    const engine = await start(look);
    // A test that timed out leaves its story waiting for the engine, which would keep this process alive for ever.
    signal.addEventListener("abort", () => engine.close().catch(() => {}));
    const photograph = (title) => keep(engine, title);
    try {
      await play({
        payer: new Payer(engine),
        engine,
        sandbox: new Sandbox(/** @type {any} */ (fromHere(servers.sandbox))),
        photograph,
      });
      assert.deepEqual(engine.errors, []);
    } catch (error) {
      // The story's own error is the one to tell.
      await photograph(`failed: ${title}`).catch(() => {});
      throw error;
    } finally {
      await engine.close();
    }
  });
}

async function keep(engine, title) {
  await mkdir(join(results, name), { recursive: true });
  await engine.evaluate(standStill);
  const file = title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  await writeFile(join(results, name, `${file}.png`), await engine.picture());
}

/** Runs in the page: ends what moves, and stops what moves for ever. */
function standStill() {
  const stop = (root) => {
    for (const animation of root.getAnimations()) {
      const { endTime } = animation.effect.getComputedTiming();
      if (endTime === Infinity) animation.pause();
      else animation.finish();
    }
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot) stop(shadowRoot);
  };
  stop(document);
}
