// End-to-end tests: a real browser against the real servers, which `cargo xtask test` starts.
// To write a test, keep the servers running with `cargo xtask stack`; the addresses below are
// where they usually listen.
//
// Each worker has servers of its own, so a test may turn the sandbox's clock and plan its faults.

import { defineConfig } from "@playwright/test";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { all, servers } from "./servers.mjs";

const results =
  process.env.RESULTS ?? fileURLToPath(new URL("../target/e2e/by-hand", import.meta.url));

export default defineConfig({
  testDir: "e2e",
  projects: [
    { name: "e2e" },
    // The packed package in pages of other people: `cargo xtask test --only consumers`.
    { name: "consumers", testDir: "consumers" },
    // The shop of `examples/yew-shop`, which Trunk serves: `cargo xtask test --only yew-shop`.
    { name: "yew-shop", testDir: "yew-shop" },
    // The shop of `examples/vendure`, which starts servers of its own: `cargo xtask test --only vendure`.
    { name: "vendure", testDir: "vendure" },
    // The built site, which needs no server of ours: `cargo xtask test --only site`.
    { name: "site", testDir: "site" },
  ],
  outputDir: join(results, "traces"),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A payment gets no second try either.
  retries: 0,
  workers: all.length,
  timeout: 60_000,
  // Pictures of the gallery: another machine smooths edges otherwise, another design is more.
  expect: {
    timeout: 15_000,
    toMatchSnapshot: { threshold: 0.3, maxDiffPixelRatio: 0.003 },
  },
  snapshotPathTemplate: "{testDir}/pictures/{arg}{ext}",
  // A picture that is missing is a mistake, unless one asks for new ones:
  // `cargo xtask test --only e2e -- pictures.spec --update-snapshots`
  updateSnapshots: "none",
  reporter: [["line"], ["./tap-reporter.mjs"]],
  use: {
    browserName: "chromium",
    baseURL: servers.shop,
    locale: "es-PE",
    timezoneId: "America/Lima",
    // A trace costs a quarter of the time. For one that failed: `-- name.spec --trace on`.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      // The system's browser: nothing is downloaded.
      executablePath: process.env.CHROME_SHELL ?? "/usr/bin/chromium-headless-shell",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        // Letters look alike on every machine, for the pictures that are compared.
        "--font-render-hinting=none",
        "--disable-lcd-text",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
