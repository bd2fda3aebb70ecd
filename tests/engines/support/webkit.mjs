// WebKitGTK: the engine of Safari in a small browser, by Debian's driver.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "./until.mjs";
import { VirtualScreen, cutOut } from "./virtual-screen.mjs";
import { WebDriver } from "./webdriver.mjs";

/** Without this its bar of buttons keeps the window wider than a phone. */
const NARROW = "* { min-width: 0; padding: 0; border: 0; margin: 0 }";

const KEYS = { Escape: "\uE00C", Enter: "\uE007", Tab: "\uE004" };

/** WebKit in the small browser of its authors. */
export class WebKit {
  #driver;
  #screen;
  /** The driver tells of none. @type {string[]} */
  errors = [];

  /** @param {WebDriver} driver @param {VirtualScreen} screen */
  constructor(driver, screen) {
    this.#driver = driver;
    this.#screen = screen;
  }

  /** @param {import("./engine.mjs").Start} start */
  static async start({ program, dark }) {
    const screen = await VirtualScreen.start(1400, 1100);
    try {
      await mkdir(join(screen.folder, "gtk-3.0"));
      await writeFile(join(screen.folder, "gtk-3.0", "gtk.css"), NARROW);
      const driver = await WebDriver.start(
        program,
        {
          DISPLAY: screen.display,
          GDK_BACKEND: "x11",
          GTK_THEME: dark ? "Adwaita:dark" : "Adwaita",
          XDG_CONFIG_HOME: screen.folder,
          LIBGL_ALWAYS_SOFTWARE: "1",
          // The sandbox needs rights that a container does not have; the pages are our own.
          WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
        },
        { browserName: "MiniBrowser" },
      );
      return new WebKit(driver, screen);
    } catch (error) {
      await screen.stop();
      throw error;
    }
  }

  async open(url) {
    await this.#driver.command("POST", "/url", { url });
  }

  async evaluate(run, ...given) {
    const script = `
      const answer = arguments[arguments.length - 1];
      const given = [...arguments].slice(0, -1);
      Promise.resolve().then(() => (${run})(...given)).then(
        (value) => answer({ value: value === undefined ? null : value }),
        (error) => answer({ error: String(error) }),
      );`;
    const { value, error } = await this.#driver.command("POST", "/execute/async", { script, args: given });
    if (error) throw new Error(error);
    return value;
  }

  async click(x, y) {
    await this.#act({
      type: "pointer",
      id: "mouse",
      parameters: { pointerType: "mouse" },
      actions: [
        { type: "pointerMove", duration: 0, x, y },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ],
    });
  }

  async key(name) {
    const value = KEYS[name];
    await this.#act({
      type: "key",
      id: "keyboard",
      actions: [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ],
    });
  }

  async back() {
    await this.#driver.command("POST", "/back", {});
  }

  async reload() {
    await this.#driver.command("POST", "/refresh", {});
  }

  async resize(width, height) {
    // The window is wider and higher than the view.
    const frame = await this.evaluate(() => [outerWidth - innerWidth, outerHeight - innerHeight]);
    await this.#driver.command("POST", "/window/rect", {
      x: 0,
      y: 0,
      width: width + frame[0],
      height: height + frame[1],
    });
  }

  /** Off the screen: the driver's own command for pictures never answers. */
  async picture() {
    const place = await this.evaluate(() => ({
      x: screenX + outerWidth - innerWidth,
      y: screenY + outerHeight - innerHeight,
      width: innerWidth,
      height: innerHeight,
    }));
    let last = Buffer.alloc(0);
    // Another process draws the page, some time later. It has drawn all when nothing changes any more.
    const contents = await until("a page that is drawn", async () => {
      await this.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100))));
      const now = await this.#screen.contents();
      const rests = now.equals(last);
      last = now;
      return rests && now;
    });
    return cutOut(contents, place);
  }

  async close() {
    try {
      await this.#driver.stop();
    } finally {
      await this.#screen.stop();
    }
  }

  async #act(input) {
    await this.#driver.command("POST", "/actions", { actions: [input] });
  }
}
