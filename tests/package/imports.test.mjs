// Imports all that the npm package exports, in either edition.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

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
