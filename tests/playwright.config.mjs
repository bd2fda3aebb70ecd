// End-to-end tests: a real browser against the real servers, which `cargo xtask test` starts.
// To write a test, keep the servers running with `cargo xtask stack`; the addresses below are
// where they usually listen.

import { defineConfig } from "@playwright/test";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder =
  process.env.REPORT_FOLDER ?? fileURLToPath(new URL("../target/e2e", import.meta.url));

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.spec.mjs",
  outputDir: join(folder, "results"),
  forbidOnly: Boolean(process.env.CI),
  // A payment gets no second try either.
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["line"], ["json", { outputFile: join(folder, "report.json") }]],
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
