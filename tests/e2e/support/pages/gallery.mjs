import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PNG } from "pngjs";

/** @import { Page } from "@playwright/test" */

const require = createRequire(import.meta.url);
/** The weights that the style sheet uses: letters of the same shape on every machine. */
const FONT = [400, 600, 700].map((weight) => ({
  weight: String(weight),
  file: readFileSync(
    require.resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`),
  ).toString("base64"),
}));

/** The gallery of screens, opened by its address. */
export class Gallery {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.exhibits = page.locator("checkout-exhibit");
    // Some screens are alerts too.
    this.problem = page.getByRole("main").locator("#problem");
  }

  /**
   * @param {Record<string, string>} choice what the address says
   * @param {string[]} screens the only ones; none for all of them
   */
  async open(choice = {}, screens = []) {
    const query = new URLSearchParams(choice);
    for (const screen of screens) query.append("screen", screen);
    await this.page.goto(`/gallery.html?${query}`);
    await this.page.locator("#wall[aria-busy=false]").waitFor();
  }

  /** The names of the screens on the wall. */
  names() {
    return this.exhibits.evaluateAll((exhibits) =>
      exhibits.map((exhibit) => exhibit.getAttribute("screen")),
    );
  }

  /** @param {string} name */
  exhibit(name) {
    return this.page.locator(`checkout-exhibit[screen="${name}"]`);
  }

  /** Puts letters that are the same on every machine in the place of the system's. */
  async useOwnFont() {
    await this.page.evaluate(async (fonts) => {
      for (const { weight, file } of fonts) {
        // Bytes and no address: the page's policy lets no font be fetched.
        const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
        document.fonts.add(await new FontFace("Exhibit", bytes, { weight }).load());
      }
      document.documentElement.style.setProperty("--checkout-font", "Exhibit");
    }, FONT);
  }

  /** A picture of every screen by its name, cut out of one of the whole wall. */
  async pictures() {
    // Every card begins at a whole pixel. Otherwise its edges would be smoothed differently by position.
    await this.page.evaluate(() => {
      // One wall of screens alone, as many in a row as there is room for.
      for (const node of document.querySelectorAll("header, nav, form, .name, .about")) node.remove();
      const wall = "#wall { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 32px 24px }";
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`.page, .group, .entries { display: contents } ${wall}`);
      document.adoptedStyleSheets.push(sheet);
      for (const frame of document.querySelectorAll("section")) {
        frame.style.height = `${Math.ceil(frame.getBoundingClientRect().height)}px`;
      }
    });
    // Not by a picture of the whole page, which takes the finger of a phone away.
    const height = await this.page.evaluate(() => document.documentElement.scrollHeight);
    await this.page.setViewportSize({ width: 1280, height });
    const whole = PNG.sync.read(await this.page.screenshot({ animations: "disabled" }));
    const places = await this.exhibits.evaluateAll((exhibits) =>
      exhibits.map((exhibit) => {
        const { left, top, width, height } = exhibit.getBoundingClientRect();
        const place = [left + scrollX, top + scrollY, width, height].map(Math.round);
        return { screen: exhibit.getAttribute("screen"), place };
      }),
    );
    return new Map(
      places.map(({ screen, place: [left, top, width, height] }) => {
        const picture = new PNG({ width, height });
        PNG.bitblt(whole, picture, left, top, width, height, 0, 0);
        // These options give the smallest file for letters and plain areas.
        const smallest = { colorType: 2, deflateStrategy: 0, filterType: 0 };
        return [screen, PNG.sync.write(picture, smallest)];
      }),
    );
  }

  /** The parts that are wider than their card, by screen. */
  sideways() {
    return this.exhibits.evaluateAll((exhibits) =>
      exhibits
        .filter((exhibit) => {
          const card = /** @type {Element} */ (exhibit.shadowRoot?.querySelector(".checkout"));
          const { right } = card.getBoundingClientRect();
          const out = (/** @type {Element} */ node) =>
            !node.closest(".unseen") && node.getBoundingClientRect().right > right + 1;
          return card.scrollWidth > card.clientWidth || [...card.querySelectorAll("*")].some(out);
        })
        .map((exhibit) => exhibit.getAttribute("screen")),
    );
  }

  /** Every text of a screen, what only a screen reader hears included. */
  words() {
    return this.exhibits.evaluateAll((exhibits) =>
      exhibits.flatMap((exhibit) => {
        const root = /** @type {ShadowRoot} */ (exhibit.shadowRoot);
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const words = [];
        // A sentence may be several nodes.
        while (walker.nextNode()) {
          const { parentElement } = walker.currentNode;
          // A text of the payment service stands within a sentence.
          words.push((parentElement?.closest(".reason") ?? parentElement)?.textContent);
        }
        for (const node of root.querySelectorAll("*")) {
          for (const name of ["alt", "aria-label", "title", "placeholder"]) {
            if (node.hasAttribute(name)) words.push(node.getAttribute(name));
          }
        }
        return words.map((text) => ({ screen: exhibit.getAttribute("screen"), text }));
      }),
    );
  }
}
