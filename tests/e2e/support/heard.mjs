// Writes down what a page gives to assistive technology: no screen reader, but what one is told.

/** @import { Page } from "@playwright/test" */

/** Names elements and logs each move of the focus and each change of a region that speaks. */
function install() {
  const LIVE = "[role=status], [role=alert], [aria-live]";
  /** @type {string[]} */
  const log = (globalThis.heardLog = []);
  /** @param {string} text */
  const plain = (text) => text.replace(/\s+/g, " ").trim();

  /**
   * The text of a node without what is hidden from assistive technology.
   * @param {any} node
   * @returns {string}
   */
  const text = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true") return "";
    const { display, visibility } = getComputedStyle(node);
    if (display === "none" || visibility === "hidden") return "";
    const lang = node.getAttribute("lang");
    const inside = [...node.childNodes].map(text).join("");
    return lang === null || !inside.trim() ? inside : `${inside}‹${lang || "in no language"}›`;
  };

  /** @param {Element} node */
  const name = (node) => {
    const root = /** @type {Document | ShadowRoot} */ (node.getRootNode());
    const by = node.getAttribute("aria-labelledby")?.split(" ");
    if (by) return plain(by.map((id) => root.getElementById(id)).filter(Boolean).map(text).join(" "));
    return plain(node.getAttribute("aria-label") ?? [...node.childNodes].map(text).join(""));
  };

  /** @param {Element} node */
  const role = (node) => {
    /** @type {Record<string, string>} */
    const tags = { A: "link", BUTTON: "button", H2: "heading", DIALOG: "dialog" };
    return node.getAttribute("role") ?? tags[node.tagName] ?? node.tagName.toLowerCase();
  };

  const focused = () => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    if (!node || node === document.body) return "nothing";
    const dialog = node.closest("dialog");
    return `${dialog && dialog !== node ? `${role(dialog)} “${name(dialog)}”, ` : ""}${role(node)} “${name(node)}”`;
  };
  Object.assign(globalThis, { heardFocus: focused });

  const said = new WeakMap();
  /** @param {Element} region */
  const look = (region) => {
    const now = plain([...region.childNodes].map(text).join(""));
    // The same text in another node is said again.
    const node = region.firstElementChild;
    const [before, last] = said.get(region) ?? ["", null];
    if (now === before && (now === "" || node === last)) return;
    said.set(region, [now, node]);
    log.push(now ? `${role(region) === "span" ? "live" : role(region)}: ${now}` : `${role(region)}: (empty)`);
  };
  /** @param {MutationRecord[]} changes */
  const hear = (changes) => {
    const regions = new Set();
    for (const { target, addedNodes } of changes) {
      const element = target instanceof Element ? target : target.parentElement;
      const region = element?.closest(LIVE);
      if (region) regions.add(region);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches(LIVE)) regions.add(node);
        for (const inner of node.querySelectorAll(LIVE)) regions.add(inner);
      }
    }
    for (const region of regions) if (region.isConnected) look(region);
  };

  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    new MutationObserver(hear).observe(root, { childList: true, characterData: true, subtree: true });
    root.addEventListener("focusin", () => log.push(`focus: ${focused()}`));
    return root;
  };
}

/** The log of a page: installed before it loads. */
export class Heard {
  #page;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
  }

  /** @param {Page} page */
  static async on(page) {
    await page.addInitScript(install);
    return new Heard(page);
  }

  /** Every line since the page was loaded, with what differs between runs in its place. */
  async lines() {
    const lines = await this.#page.evaluate(() => globalThis.heardLog);
    return lines.map((line) =>
      line
        .replace(/\d{1,2}:\d\d(:\d\d)?( [ap]\.m\.)?/g, "‹time›")
        .replace(/pedido [0-9A-Z]{6,}/g, "pedido ‹number›")
        .replace(/\d+ (minuto|segundo)s?( \d+ segundos?)?/g, "‹left›"),
    );
  }

  /** The texts of the regions that speak. */
  async said() {
    const lines = await this.lines();
    return lines.filter((line) => !line.startsWith("focus:") && !line.endsWith("(empty)"));
  }

  /** The element that has the focus, by role and name. */
  async focused() {
    return this.#page.evaluate(() => globalThis.heardFocus());
  }
}
