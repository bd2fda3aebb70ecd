// Writes each module of the elements as JavaScript: its types are left out, and nothing is bundled. The lint for older
// browsers and the tests in `tests/modules` read these.
//
//   node transpile.mjs <output folder>

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const WWW = fileURLToPath(new URL("../www", import.meta.url));

const files = await readdir(WWW, { recursive: true });
const modules = files.filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));

/**
 * A module imports others by the names of their sources.
 * @type {import("esbuild").Plugin}
 */
const renamed = {
  name: "renamed",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === "entry-point" ? undefined : { path: path.replace(/\.ts$/, ".js"), external: true },
    );
  },
};

await build({
  bundle: true,
  charset: "utf8",
  define: { VERSION: '"0.0.0"' },
  entryPoints: modules.map((name) => join(WWW, name)),
  format: "esm",
  logLevel: "warning",
  outbase: WWW,
  outdir: process.argv[2],
  plugins: [renamed],
  treeShaking: false,
});
