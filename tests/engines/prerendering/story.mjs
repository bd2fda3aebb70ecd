// A story of a page that the browser loads before anybody asks for it (prerendering), in a plain Chromium. The payer comes from
// `/before` to `/pay`, which `/before` lets the browser load in advance.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Sandbox } from "../../e2e/support/sandbox.mjs";
import { servers } from "../../servers.mjs";
import { fromHere } from "../support/requests.mjs";
import { checkout, Shop } from "./shop.mjs";

/** @import { Page } from "./shop.mjs" */

const ARGUMENTS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Here no person presses the link that opens a tab.
  "--disable-popup-blocking",
];

/**
 * Opens a page in a Chromium without a driver, since a browser with one loads no page in advance; its pages do the rest. The
 * returned function ends the browser.
 * @param {string} address
 */
async function browse(address) {
  const program = process.env.ENGINE_PROGRAM ?? "/usr/bin/chromium";
  const profile = await mkdtemp(join(tmpdir(), "prerendering-"));
  const browser = spawn(program, [...ARGUMENTS, `--user-data-dir=${profile}`, address], {
    stdio: "ignore",
    // The leader of a group, so that the end is that of all its processes.
    detached: true,
  });
  const ended = once(browser, "exit");
  await once(browser, "spawn");
  return async () => {
    // It may have ended by itself.
    if (browser.exitCode === null) process.kill(-browser.pid, "SIGKILL");
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  };
}

/**
 * @typedef {object} Cast
 * @property {Shop} shop
 * @property {Sandbox} sandbox
 * @property {(path: string) => Promise<void>} opens a page in a new browser
 */

/**
 * Registers a story. Without LONG only those that stand for the others are played.
 * @param {string} title
 * @param {(cast: Cast) => Promise<void>} play
 * @param {{ always?: boolean }} [when]
 */
export function story(title, play, { always = false } = {}) {
  if (!always && !process.env.LONG) return;
  test(title, { timeout: 90_000 }, async () => {
    const shop = await Shop.open();
    let ends = async () => {};
    try {
      const sandbox = new Sandbox(/** @type {any} */ (fromHere(servers.sandbox)));
      const opens = async (path) => {
        ends = await browse(new URL(path, shop.origin).href);
      };
      await play({ shop, sandbox, opens });
      assert.deepEqual(shop.told.filter(({ what }) => what === "broken"), []);
    } finally {
      await ends().finally(() => shop.close());
    }
  });
}

/** Runs in `/before`. @param {Page} page */
export const leads = async ({ hears }) => {
  await hears("go");
  location.href = "/pay";
};

/** Runs in `/pay`. @param {Page} page */
export const waits = ({ loads }) => loads();

/** Nothing but drawing happened before the page was shown. @param {Shop} shop */
export function nothingEarly(shop, page = "/pay") {
  const asked = shop.questions(page).filter(({ early }) => early);
  assert.deepEqual(asked.map(({ line }) => line), []);
  const early = shop.of(page).filter((told) => told.early);
  const own = ["compiled", "still", "waits", "look", "visibility"];
  assert.deepEqual(early.filter(({ what }) => !own.includes(what)), []);
  const looks = early.filter(({ what }) => what === "look");
  assert.deepEqual(looks.filter(({ focus, heard }) => focus || heard), []);
}

/** What the payer saw of `/pay`, in order. @param {Shop} shop */
export const seen = (shop, page = "/pay") =>
  shop.of(page).filter(({ what, early }) => what === "look" && !early).map(({ screen }) => screen);

/** The events of `/pay`. @param {Shop} shop @param {string} what */
export const events = (shop, what, page = "/pay") => shop.of(page).filter((told) => told.what === what);

/**
 * A payer who got a code in `/before`, while `/pay` was there already.
 * @param {Cast} cast
 */
export async function getsCode({ shop, opens }) {
  const order = await shop.order();
  shop.page("/before", { body: checkout(order), loads: ["/pay"], run: async ({ hears, chooses }) => {
    await hears("choose");
    chooses();
    await hears("go");
    location.href = "/pay";
  } });
  shop.page("/pay", { body: checkout(order), run: waits });
  await opens("/before");
  await shop.hears("/before", "checkout-ready");
  await shop.hears("/pay", "waits");
  shop.says("choose");
  const { number } = await shop.hears("/before", "checkout-pending");
  return { order, number };
}
