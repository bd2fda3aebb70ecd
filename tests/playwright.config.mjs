// End-to-end tests: a real browser against the real servers, which `cargo xtask test` starts.
// To write a test, keep the servers running with `cargo xtask stack`; the addresses below are
// where they usually listen.
//
// A test that turns the sandbox's clock or plans its faults changes the world of all others: it
// belongs into a file `e2e/*.alone.spec.mjs`, and those run by themselves afterwards.

import { defineConfig } from "@playwright/test";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const results =
  process.env.RESULTS ?? fileURLToPath(new URL("../target/e2e/by-hand", import.meta.url));

export default defineConfig({
  testDir: "e2e",
  projects: [
    { name: "together", testMatch: "*.spec.mjs", testIgnore: "*.alone.spec.mjs" },
    { name: "alone", testMatch: "*.alone.spec.mjs", workers: 1 },
  ],
  outputDir: join(results, "traces"),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A payment gets no second try either.
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["line"], ["json", { outputFile: join(results, "report.json") }]],
  use: {
    browserName: "chromium",
    baseURL: process.env.SHOP_URL ?? "http://127.0.0.1:18080",
    locale: "es-PE",
    timezoneId: "America/Lima",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      // The system's browser: nothing is downloaded.
      executablePath: process.env.CHROME ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
