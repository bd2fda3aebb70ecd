// Imports all that the npm package exports, in either edition.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const PACKAGE =
  process.env.PACKAGE ??
  fileURLToPath(new URL("../../target/npm/payment-checkout-element", import.meta.url));

const { exports } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));

test("importing anything on a server does nothing and throws nothing", async () => {
  const before = Object.getOwnPropertyNames(globalThis);
  for (const [entry, target] of Object.entries(exports)) {
    const path = target.default ?? target;
    // What is for Node.js alone registers no element.
    if (target.node || !path.endsWith(".js")) continue;
    const module = await import(pathToFileURL(join(PACKAGE, path)).href);
    if (!path.includes("types")) {
      // Nor does registering, where there is nothing to register with.
      module.define();
      module.define("another-tag", { wasm: "/elsewhere.wasm" });
    }
    assert.ok(module, entry);
  }
  assert.deepEqual(Object.getOwnPropertyNames(globalThis), before);
});

test("what runs in Node.js imports nothing but Node.js and the package", async () => {
  const inNode = ["commands/main.mjs", "testing/index.mjs", "examples/try/server.mjs", "examples/servers/node", "examples/shops/node"];
  const found = inNode.map(async (path) => (path.endsWith(".mjs") ? [path] : (await readdir(join(PACKAGE, path))).map((name) => join(path, name))));
  const entryPoints = (await Promise.all(found)).flat().filter((path) => path.endsWith(".mjs"));
  const { metafile } = await build({
    absWorkingDir: PACKAGE,
    bundle: true,
    entryPoints,
    format: "esm",
    logLevel: "silent",
    metafile: true,
    outdir: "unwritten",
    packages: "external",
    platform: "node",
    write: false,
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const foreign = imports.filter(({ external, path }) => external && !/^(?:node:|payment-checkout-element(?:\/|$))/.test(path));
  assert.deepEqual(foreign, []);
});
