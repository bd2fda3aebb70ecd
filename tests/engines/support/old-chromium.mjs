// Chromiums of 2021 and 2022. Playwright still drives them, but for its locators; puppeteer waits for
// a page of Chromium 92 in vain, once in a few starts.

import { chromium } from "@playwright/test";

/** They were built for one process without a graphics card. */
const ARGUMENTS = ["--single-process", "--no-zygote", "--headless", "--no-sandbox", "--disable-gpu"];

/** A Chromium from npm. */
export class OldChromium {
  #browser;
  #page;
  /** @type {string[]} */
  errors = [];

  /** @param {import("@playwright/test").Browser} browser @param {import("@playwright/test").Page} page */
  constructor(browser, page) {
    this.#browser = browser;
    this.#page = page;
    page.on("pageerror", (error) => this.errors.push(String(error)));
  }

  /** @param {import("./engine.mjs").Start} start */
  static async start({ program, dark }) {
    const browser = await chromium.launch({ executablePath: program, args: ARGUMENTS });
    const context = await browser.newContext({
      colorScheme: dark ? "dark" : "light",
      viewport: { width: 1280, height: 900 },
      // Without a window there is nobody to ask.
      permissions: ["clipboard-read", "clipboard-write"],
    });
    return new OldChromium(browser, await context.newPage());
  }

  async open(url) {
    await this.#page.goto(url, { waitUntil: "domcontentloaded" });
  }

  async evaluate(run, ...given) {
    // Playwright passes one argument; the function goes as its text, for it takes several.
    const call = `(${run})(...${JSON.stringify(given)})`;
    return this.#page.evaluate(call);
  }

  async click(x, y) {
    await this.#page.mouse.click(x, y);
  }

  async key(name) {
    await this.#page.keyboard.press(name);
  }

  async back() {
    await this.#page.goBack({ waitUntil: "commit" });
  }

  async reload() {
    await this.#page.reload({ waitUntil: "domcontentloaded" });
  }

  async resize(width, height) {
    await this.#page.setViewportSize({ width, height });
  }

  async picture() {
    return this.#page.screenshot();
  }

  async close() {
    await this.#browser.close();
  }
}
