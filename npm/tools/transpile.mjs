// Writes each module of the elements as JavaScript: its types are left out, and nothing is bundled. The lint for older
// browsers and the tests in `tests/modules` read these.
//
//   node transpile.mjs <output folder>
//   node transpile.mjs <output folder> --test    also tests them, again after each change, until Ctrl-C

import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { context } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const WWW = join(ROOT, "www");

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

const transpiled = await context({
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
await transpiled.rebuild();
if (process.argv[3] === "--test") {
  await transpiled.watch();
  const folder = join(ROOT, "tests/modules");
  const tests = (await readdir(folder)).filter((name) => name.endsWith(".test.mjs"));
  const paths = tests.map((name) => join(folder, name));
  spawn(process.execPath, ["--test", "--watch", ...paths], { cwd: ROOT, stdio: "inherit" });
} else {
  await transpiled.dispose();
}
