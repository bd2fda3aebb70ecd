// The import map that `payment-checkout-element verify --import-map` prints, in a page of a real browser.

import { expect, test } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = process.env.PACKAGE ?? fileURLToPath(new URL("../../target/npm/payment-checkout-element", import.meta.url));
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };

/** Opens a page that pins the release, from a server on which one file has a byte more. */
async function open(page, changed) {
  const map = execFileSync(process.execPath, [join(PACKAGE, "commands/main.mjs"), "verify", "--import-map", "/element"]);
  const body = `<!doctype html><html lang="en"><title>Pay</title>${map}
    <payment-checkout base-url="/api">Another way</payment-checkout><script type="module">import 'payment-checkout-element'</script>`;
  await page.route("https://shop.test/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/") return route.fulfill({ contentType: "text/html", body });
    if (!pathname.startsWith("/element/")) return route.fulfill({ status: 204 });
    const file = await readFile(join(PACKAGE, pathname));
    const bytes = pathname.endsWith(`/${changed}`) ? Buffer.concat([file, Buffer.from("\n")]) : file;
    return route.fulfill({ contentType: TYPES[extname(pathname)] ?? "text/css", body: bytes });
  });
  /** @type {string[]} */
  const refused = [];
  page.on("console", (message) => message.text().includes("valid digest") && refused.push(message.text()));
  await page.goto("https://shop.test/");
  return refused;
}

test("a pinned page runs the release", async ({ page }) => {
  const refused = await open(page, "");
  await expect.poll(() => page.evaluate(() => Reflect.get(document.querySelector("payment-checkout"), "state"))).toBe("choosing");
  expect(refused).toEqual([]);
});

test("a pinned page runs no other bytes of the script", async ({ page }) => {
  const refused = await open(page, "payment-checkout.js");
  await expect.poll(() => refused.join()).toContain("/element/payment-checkout.js");
  await expect(page.getByText("Another way")).toBeVisible();
});

test("nor of a file that is loaded later", async ({ page }) => {
  const refused = await open(page, "texts-en.js");
  await expect.poll(() => refused.join()).toContain("/element/texts-en.js");
});
