// A Chromium without a driver, since a browser with one loads no page in advance. It starts with a page, and its pages do the
// rest.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

/** Opens a page. The returned function ends the browser. @param {string} address */
export async function browse(address) {
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
