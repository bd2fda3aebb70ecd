// Prints the sizes of files as a server sends them, each by itself, and of their groups: `node size.mjs GROUPS`, as
// `cargo xtask size` makes them. Fails when a group has more bytes after brotli than it may have.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** @type {{ name: string, most: number, files: string[] }[]} */
const groups = JSON.parse(process.argv[2] ?? "[]");

const row = (/** @type {string} */ name, /** @type {number[]} */ sizes) =>
  name.padEnd(40) + sizes.map((size) => size.toLocaleString("en").padStart(10)).join("");

console.log("".padEnd(40) + ["raw", "gzip 9", "brotli 11"].map((title) => title.padStart(10)).join(""));
for (const { name, most, files } of groups) {
  const sum = [0, 0, 0];
  for (const file of files) {
    const bytes = readFileSync(file);
    // npm sends its archive as it is.
    const forms = file.endsWith(".tgz") ? [bytes, bytes] : [gzipSync(bytes, { level: 9 }), brotliCompressSync(bytes)];
    const sizes = [bytes, ...forms].map((form) => form.length);
    for (const [at, size] of sizes.entries()) sum[at] += size;
    if (files.length < 4) console.log(row(basename(file), sizes));
  }
  const fits = sum[2] <= most;
  if (!fits) process.exitCode = 1;
  console.log(`${row(`= ${name}`, sum)}  ${fits ? "of" : "OVER THE BUDGET of"} ${most.toLocaleString("en")}`);
}
