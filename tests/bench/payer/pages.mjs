// The pages that are compared, as files by their address.

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {Map<string, Buffer>} Page the content of each address */

const own = (/** @type {string} */ name) => readFile(fileURLToPath(new URL(name, import.meta.url)));

/** The page of plain JavaScript. @returns {Promise<Page>} */
export async function plain() {
  return new Map([
    ["/", await own("plain.html")],
    ["/plain.js", await own("plain.js")],
  ]);
}

/**
 * A page with the element of a package.
 * @param {string} folder the package
 * @param {{hints: boolean}} options with hints the page has the lines of the element's `preload.html`
 * @returns {Promise<Page>}
 */
export async function element(folder, { hints }) {
  const html = (await own("checkout.html")).toString();
  const mark = "<!-- preload -->";
  if (!html.includes(mark)) throw new Error(`checkout.html has no ${mark}`);
  const lines = hints ? await preload(folder) : "";
  /** @type {Page} */
  const page = new Map([
    ["/", Buffer.from(html.replace(mark, () => lines))],
    ["/checkout.js", await own("checkout.js")],
  ]);
  for (const name of await readdir(join(folder, "element"))) {
    // Browsers load no maps without their tools, and the lines are in the page.
    if (!/\.(map|html)$/.test(name)) page.set(`/element/${name}`, await readFile(join(folder, "element", name)));
  }
  return page;
}

/** The lines that a page preloads with. Earlier packages had them beside the folder. @param {string} folder the package */
async function preload(folder) {
  const inside = readFile(join(folder, "element/preload.html"), "utf8");
  return inside.catch(() => readFile(join(folder, "preload.html"), "utf8"));
}
