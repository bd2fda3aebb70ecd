// A browser that darkens every page by itself, as some people set theirs: the code can be scanned all the same.

import { chromium } from "@playwright/test";
import { PNG } from "pngjs";
import { expect, test } from "./support/fixtures.mjs";
import { Payer } from "./support/payer.mjs";
import { decode } from "./support/qr-image.mjs";
import { signed } from "../support/signed-order.mjs";
import { servers } from "../servers.mjs";

/** A picture without the light room around its code, as a service may make it. @param {string} uri */
function bare(uri) {
  const picture = PNG.sync.read(Buffer.from(uri.split(",")[1], "base64"));
  const { data, width, height } = picture;
  const dark = Array.from({ length: width * height }, (_, at) => at).filter((at) => data[4 * at] < 128);
  const [left, right] = [Math.min(...dark.map((at) => at % width)), Math.max(...dark.map((at) => at % width))];
  const [top, bottom] = [Math.floor(dark[0] / width), Math.floor(dark[dark.length - 1] / width)];
  const cut = new PNG({ width: right - left + 1, height: bottom - top + 1 });
  PNG.bitblt(picture, cut, left, top, cut.width, cut.height, 0, 0);
  return `data:image/png;base64,${PNG.sync.write(cut).toString("base64")}`;
}

/** Gives the codes of the service no room of their own. @param {import("@playwright/test").Page} page */
async function withoutRoom(page) {
  await page.route(/\/api\/charges|\/pay\//, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/data:image\/png;base64,[A-Za-z0-9+/=]+/, bare);
    await route.fulfill({ response, body });
  });
}

/**
 * Opens a page in a browser that darkens pages, for one story.
 * @param {{ contextOptions: object, baseURL: string | undefined, launchOptions: import("@playwright/test").LaunchOptions }} own
 * @param {(page: import("@playwright/test").Page) => Promise<void>} play
 */
async function darkened({ contextOptions, baseURL, launchOptions }, play) {
  const darkens = ["--enable-features=WebContentsForceDark", "--blink-settings=forceDarkModeEnabled=true,forceDarkModeImagePolicy=2"];
  const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []), ...darkens] });
  const page = await browser.newPage({ ...contextOptions, baseURL });
  await withoutRoom(page);
  await play(page);
  await browser.close();
}

test("a code that a browser darkens is read, though its picture has no room of its own", async ({
  contextOptions,
  baseURL,
  launchOptions,
  invariants,
  sandbox,
}) => {
  await darkened({ contextOptions, baseURL, launchOptions }, async (page) => {
    const payer = new Payer(page, invariants, sandbox);
    const { number } = await payer.begins();
    const { qr_content } = await sandbox.operation(number);
    expect(decode(await payer.checkout.tile.screenshot())).toBe(qr_content);
  });
});

test("a code on the server's own page that a browser darkens is read, too", async ({ contextOptions, baseURL, launchOptions }) => {
  await darkened({ contextOptions, baseURL, launchOptions }, async (page) => {
    const led = await page.request.post(`${servers.backend}/api/pay`, { form: { order: signed() }, maxRedirects: 0 });
    await page.route("**/element/**", (route) => route.abort());
    await page.goto(new URL(led.headers().location, servers.backend).href);
    await page.getByRole("button", { name: "Con QR" }).click();
    const code = page.getByRole("img", { name: /Código QR/ });
    await expect(code).toBeVisible();
    expect(decode(await code.screenshot())).toBeDefined();
  });
});
