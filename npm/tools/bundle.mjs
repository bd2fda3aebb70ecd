// Makes the files that pages load out of the modules and style sheets of `www`: each entry a bundle of its
// own, minified, with a map to its sources.
//
//   node bundle.mjs <version> <output folder> <glue> <entry>... --later <entry>...
//
// An entry is `<source>=<name>`: the package publishes files under names that stay, whatever their sources are called.
// A page loads one of the first entries, which has everything that is needed at once, the glue too. The later
// ones are imported as files.

import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { build, transform } from "esbuild";
import postcss from "postcss";
import { browsers } from "./baseline.mjs";

const [version, output, glue, ...rest] = process.argv.slice(2);
const pairs = rest.filter((word) => word !== "--later").map((word) => word.split("="));
const later = new Map(rest.slice(rest.indexOf("--later") + 1).map((word) => word.split("=")).map(([source, name]) => [basename(source), name]));

/** The browsers of a baseline, in the bundler's words. @param {import("./baseline.mjs").Baseline} baseline */
const target = (baseline) => browsers(baseline).map((browser) => browser.replace("ios_saf", "ios").replace(" ", ""));

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

/**
 * The glue is written by the build, in another folder than that of the modules that import it.
 * @type {import("esbuild").Plugin}
 */
const written = {
  name: "written",
  setup({ onResolve }) {
    onResolve({ filter: /-wasm\.js$/ }, ({ path }) => ({ path: resolve(dirname(glue), basename(path)) }));
  },
};

/**
 * The later entries stay files of their own, under the names that they are published by.
 * @type {import("esbuild").Plugin}
 */
const apart = {
  name: "apart",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\// }, ({ kind, path }) => {
      const name = kind === "dynamic-import" && later.get(basename(path));
      return name ? { path: `./${name}`, external: true } : undefined;
    });
  },
};

const { metafile } = await build({
  ...COMMON,
  bundle: true,
  entryPoints: pairs.map(([source, name]) => ({ in: source, out: basename(name, extname(name)) })),
  format: "esm",
  metafile: true,
  outdir: output,
  plugins: [sheets, apart, written],
  sourcemap: "linked",
});

// Glue and printed files are not debugged: the maps name them, and do not repeat them.
for (const path of Object.keys(metafile.outputs).filter((name) => name.endsWith(".map"))) {
  const map = JSON.parse(await readFile(path, "utf8"));
  const isWritten = (/** @type {string} */ source) =>
    source.includes("/printed/") || resolve(dirname(path), source).startsWith(resolve(dirname(glue)));
  map.sourcesContent = map.sources.map((/** @type {string} */ source, /** @type {number} */ at) =>
    isWritten(source) ? null : map.sourcesContent[at],
  );
  await writeFile(path, JSON.stringify(map));
}
