// Firefox, by WebDriver BiDi. Playwright drives a Firefox of its own only.

import puppeteer from "puppeteer-core";

/** @typedef {import("./engine.mjs").Start} Start */

/** The Firefox of the system. */
export class Firefox {
  #browser;
  #page;
  /** @type {string[]} */
  errors = [];

  /** @param {import("puppeteer-core").Browser} browser @param {import("puppeteer-core").Page} page */
  constructor(browser, page) {
    this.#browser = browser;
    this.#page = page;
    page.on("pageerror", (error) => this.errors.push(String(error)));
  }

  /** @param {Start} start */
  static async start({ program, dark, contrast, desktop }) {
    const browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: program,
      headless: !desktop,
      env: desktop?.environment ?? process.env,
      // The window's own: the size that is set at the start is not known to every Firefox.
      defaultViewport: null,
      args: ["--width", "1280", "--height", "900"],
      extraPrefsFirefox: {
        "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1,
        "browser.display.document_color_use": contrast ? 2 : 0,
        // As on a phone, a scroll bar takes no room.
        "ui.useOverlayScrollbars": 1,
        ...(desktop && { "accessibility.force_disabled": -1, "intl.accept_languages": desktop.language }),
      },
    });
    const [page] = await browser.pages();
    return new Firefox(browser, page ?? (await browser.newPage()));
  }

  async open(url) {
    await this.#page.goto(url, { waitUntil: "domcontentloaded" });
  }

  async evaluate(run, ...given) {
    return this.#page.evaluate(run, ...given);
  }

  async click(x, y) {
    await this.#page.mouse.click(x, y);
  }

  async key(name) {
    await this.#page.keyboard.press(name);
  }

  async back() {
    // A page that was only asleep has no load that one could wait for.
    await this.#page.evaluate(() => history.back());
  }

  async reload() {
    await this.#page.reload({ waitUntil: "domcontentloaded" });
  }

  async resize(width, height) {
    await this.#page.setViewport({ width, height });
  }

  async picture() {
    return Buffer.from(await this.#page.screenshot());
  }

  async close() {
    await this.#browser.close();
  }
}
