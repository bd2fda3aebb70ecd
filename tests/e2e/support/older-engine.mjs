// Plays an engine that does not know newer expressions of CSS: in every sheet that the page gets, by itself or within a
// module, the expression is misspelt, in `@supports` too.

/**
 * The texts to misspell, by the name of the newer expression.
 * @type {Record<string, [string | RegExp, string][]>}
 */
const EXPRESSIONS = {
  "color-mix": [["color-mix(", "unknown-mix("]],
  "light-dark": [["light-dark(", "unknown-dark("]],
  "relative colors": [["oklch(from", "oklch(unknown"], ["color(from", "color(unknown"]],
  containers: [["@container", "@unknown"], ["container-type", "unknown-type"], [/(?<=\d)cqi\b/g, "unknown"]],
  "intrinsic sizes": [["contain-intrinsic-inline-size", "unknown-size"]],
  "round()": [["round(", "unknown("]],
  ":has()": [[":has(", ":unknown("]],
  "text-wrap": [["text-wrap:", "unknown-wrap:"]],
  "rotate and translate": [["{rotate:", "{unknown:"], [";rotate:", ";unknown:"], ["translate:", "unknown:"]],
  nesting: [["&", "&unknown"]],
};

/** Expressions that an engine lacks, by one of the browsers that lack just these. */
export const ENGINES = {
  "Chromium 103": Object.keys(EXPRESSIONS),
  "Safari 16": ["color-mix", "light-dark", "relative colors", "intrinsic sizes", "round()", "text-wrap", "nesting"],
  "Firefox 115": ["light-dark", "relative colors", "round()", ":has()", "text-wrap", "nesting"],
  "Chromium 119": ["light-dark", "round()"],
  "Firefox 120": ["relative colors", "round()", ":has()"],
  "of today": [],
};

/** A page without the lines that load the element early. @param {string} page */
export const withoutPreload = (page) => page.replace(/<link rel="(module)?preload".*>/g, "");

/** @param {string} text @param {string} name */
const misspelt = (text, name) => EXPRESSIONS[name].reduce((text, [from, to]) => text.replaceAll(from, to), text);

/**
 * Every page of a context meets the engine. Sheets are within the modules that make them, and files of their own.
 * @param {import("@playwright/test").BrowserContext} context
 * @param {string[]} lacks names of `EXPRESSIONS`
 */
export async function play(context, lacks) {
  // Other bytes than the page names would not run.
  await context.route(
    (url) => url.pathname === "/",
    async (route) => {
      const response = await route.fetch();
      return route.fulfill({ response, body: withoutPreload(await response.text()) });
    },
  );
  await context.route(/\.css(\?|$)|\/(element|gallery|operations)\/[\w-]+\.js$/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const sheet = /\.css(\?|$)/.test(route.request().url()) ? text : text.match(/`:host[^`]*`/)?.[0];
    if (!sheet) return route.fulfill({ response, body: text });
    const older = lacks.reduce(misspelt, sheet);
    return route.fulfill({ response, body: text.replace(sheet, () => older) });
  });
}
