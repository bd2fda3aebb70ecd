// The import map that `payment-checkout-element verify --import-map` prints, in a page of a real browser.

import { expect, test } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = process.env.PACKAGE ?? fileURLToPath(new URL("../../target/npm/payment-checkout-element", import.meta.url));
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };

/** The policy of `docs/security.md`, with the place where it names the hash of the import map. */
const POLICY =
  "default-src 'none'; script-src 'self' HASH 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src data:; " +
  "require-trusted-types-for 'script'";

/** Opens a page that pins the release under its policy, from a server on which one file has a byte more. */
async function open(page, changed) {
  const lines = execFileSync(process.execPath, [join(PACKAGE, "commands/main.mjs"), "verify", "--import-map", "/element"]).toString();
  const [hash] = /'sha256-[^']+'/.exec(lines);
  const body = `<!doctype html><html lang="en"><title>Pay</title>${lines}
    <payment-checkout base-url="/api">Another way</payment-checkout><script type="module" src="/shop.js"></script>`;
  await page.route("https://shop.test/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    const headers = { "content-security-policy": POLICY.replace("HASH", hash) };
    if (pathname === "/") return route.fulfill({ contentType: "text/html", headers, body });
    if (pathname === "/shop.js") return route.fulfill({ contentType: "text/javascript", body: "import 'payment-checkout-element'" });
    if (!pathname.startsWith("/element/")) return route.fulfill({ status: 204 });
    const file = await readFile(join(PACKAGE, pathname));
    const bytes = pathname.endsWith(`/${changed}`) ? Buffer.concat([file, Buffer.from("\n")]) : file;
    return route.fulfill({ contentType: TYPES[extname(pathname)] ?? "text/css", body: bytes });
  });
  /** @type {string[]} */
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  await page.goto("https://shop.test/");
  return said;
}

const refused = (/** @type {string[]} */ said) => said.filter((text) => text.includes("valid digest")).join();

test("a pinned page runs the release under its policy, and uses what it preloads", async ({ page }) => {
  const said = await open(page, "");
  await expect.poll(() => page.evaluate(() => Reflect.get(document.querySelector("payment-checkout"), "state"))).toBe("choosing");
  // Chromium says here that it does not use what a line preloads, and why.
  expect(said).toEqual([]);
});

test("a pinned page runs no other bytes of the script", async ({ page }) => {
  const said = await open(page, "payment-checkout.js");
  await expect.poll(() => refused(said)).toContain("/element/payment-checkout.js");
  await expect(page.getByText("Another way")).toBeVisible();
});

test("nor of a file that is loaded later", async ({ page }) => {
  const said = await open(page, "texts-en.js");
  await expect.poll(() => refused(said)).toContain("/element/texts-en.js");
});
