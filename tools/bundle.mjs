// Makes the files that pages load out of the modules and style sheets of `www`: each entry a bundle of its
// own, minified, with a map to its sources.
//
//   node bundle.mjs <version> <output folder> <glue> <entry>...
//
// Entries and the glue import each other as files, so that a page loads each of them once, and late ones late.

import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";
import postcss from "postcss";
import { browsers } from "./floor.mjs";

const [version, output, glue, ...entries] = process.argv.slice(2);

/** The browsers of a floor, in the bundler's words. @param {import("./floor.mjs").Floor} floor */
const target = (floor) => browsers(floor).map((browser) => browser.replace("ios_saf", "ios").replace(" ", ""));

/** How every file is made. @type {import("esbuild").CommonOptions} */
const COMMON = {
  charset: "utf8",
  define: { VERSION: JSON.stringify(version) },
  legalComments: "none",
  logLevel: "warning",
  minify: true,
  // Browsers that cannot run the wasm read the modules all the same, and show the page's own content.
  target: target("content"),
};

/**
 * Has a sheet match in a shadow root alone. Some bundlers put every sheet that they meet into the page, where this
 * one would restyle the shop.
 * @param {string} css
 */
function hosted(css) {
  const sheet = postcss.parse(css);
  sheet.walkRules((rule) => {
    // The steps of an animation are no selectors.
    if (rule.parent?.type === "atrule" && /keyframes$/.test(/** @type {import("postcss").AtRule} */ (rule.parent).name)) return;
    rule.selectors = rule.selectors.map((selector) => (selector.startsWith(":host") ? selector : `:host ${selector}`));
  });
  return sheet.toString();
}

/**
 * A sheet that a module imports as text is in its bundle, and beside it as a file for a link.
 * @type {import("esbuild").Plugin}
 */
const sheets = {
  name: "sheets",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path, with: { type } }) => {
      if (type !== "text") return undefined;
      const css = await readFile(path, "utf8");
      const { code } = await transform(basename(path) === "style.css" ? hosted(css) : css, {
        ...COMMON,
        loader: "css",
        target: target("production"),
      });
      await writeFile(join(output, basename(path)), code);
      return { contents: code, loader: "text" };
    });
  },
};

await build({
  ...COMMON,
  bundle: true,
  entryPoints: entries,
  external: [glue, ...entries].map((path) => `./${basename(path)}`),
  format: "esm",
  outdir: output,
  plugins: [sheets],
  sourcemap: "linked",
});

// The glue is written by a tool: nobody debugs it in its sources.
await build({ ...COMMON, entryPoints: [glue], format: "esm", outdir: output });
