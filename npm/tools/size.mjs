// Prints the sizes of files as a server sends them, each by itself, and of their groups: `node size.mjs GROUPS`, as
// `cargo xtask size` makes them. Fails when a group has more bytes after brotli than it may have.

import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** What a README states of the wasm and the script, in thousands of bytes, in English and in Spanish. */
const STATED = /(\d+) kB \w+ wasm \w+ (\d+) kB \w+ script \w+ brotli, (\d+) \w+ (\d+) \w+ gzip/;

/** @type {{ name: string, most: number, files: string[], stated?: string[] }[]} */
const groups = JSON.parse(process.argv[2] ?? "[]");

const row = (/** @type {string} */ name, /** @type {number[]} */ sizes) =>
  name.padEnd(40) + sizes.map((size) => size.toLocaleString("en").padStart(10)).join("");

console.log("".padEnd(40) + ["raw", "gzip 9", "brotli 11"].map((title) => title.padStart(10)).join(""));
for (const { name, most, files, stated = [] } of groups) {
  const sum = [0, 0, 0];
  /** @type {Record<string, number[]>} */
  const of = {};
  for (const file of files) {
    const bytes = readFileSync(file);
    // npm sends its archive as it is.
    const forms = file.endsWith(".tgz") ? [bytes, bytes] : [gzipSync(bytes, { level: 9 }), brotliCompressSync(bytes)];
    const sizes = [bytes, ...forms].map((form) => form.length);
    for (const [at, size] of sizes.entries()) sum[at] += size;
    of[extname(file)] = sizes.map((size) => size / 1000);
    if (files.length < 4) console.log(row(basename(file), sizes));
  }
  const fits = sum[2] <= most;
  if (!fits) process.exitCode = 1;
  console.log(`${row(`= ${name}`, sum)}  ${fits ? "of" : "OVER THE BUDGET of"} ${most.toLocaleString("en")}`);
  for (const readme of stated) {
    const figures = STATED.exec(readFileSync(readme, "utf8").replace(/\s+/g, " "))?.slice(1).map(Number) ?? [];
    const measured = [of[".wasm"][2], of[".js"][2], of[".wasm"][1], of[".js"][1]];
    if (measured.every((size, at) => Math.abs(size - figures[at]) < 1.5)) continue;
    process.exitCode = 1;
    console.log(`${basename(readme)} states ${figures.join(", ")} kB of wasm and script, and they have ${measured.map(Math.round).join(", ")}`);
  }
}
