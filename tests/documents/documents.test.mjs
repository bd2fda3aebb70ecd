// What the documents name or quote is there: files, tests and lines of the examples.
//
// `cargo xtask test --only prose` runs it.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), "utf8");

/** The files below a folder with this ending. @returns {string[]} */
function files(/** @type {string} */ folder, /** @type {string} */ end) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^node_modules$|^\./.test(entry.name) ? [] : files(path, end);
    return path.endsWith(end) ? [path] : [];
  });
}

const DOCUMENTS = [...readdirSync(ROOT).filter((name) => name.endsWith(".md")), ...files("docs", ".md")];

const RUST = ["crates", "src", "tests"]
  .flatMap((folder) => files(folder, ".rs"))
  .concat("Cargo.lock")
  .map(read)
  .join("\n");

/** A path in the repository, without a placeholder. */
const PATH = /^(?:crates|deploy|docs|npm|src|tests|www)\/[^* <{]*$/;

/** A bare name of a file of ours, such as `a_test.rs`. */
const FILE = /^[\w-]+\.(?:rs|mjs|d\.ts)$/;

const NAMES = new Set(
  ["crates", "npm", "src", "tests", "www", "examples"]
    .flatMap((folder) => [".rs", ".mjs", ".d.ts"].flatMap((end) => files(folder, end)))
    .map((path) => basename(path)),
);

/** A name with three underscores is a sentence, and so the name of a test; with one at its end, of several tests. */
const SENTENCE = /^(?:\w+::)*([a-z\d]+(?:_[a-z\d]+){3,}_?|[a-z\d]+(?:_[a-z\d]+){2,}_)$/;

/** The paths and names of tests between backticks of which there is nothing. */
function stale(
  /** @type {string} */ text,
  source = RUST,
  exists = (/** @type {string} */ path) => existsSync(join(ROOT, path)),
  names = NAMES,
) {
  const quoted = text.split("`").filter((_, at) => at % 2 === 1);
  return quoted.filter((name) => {
    if (PATH.test(name)) return !exists(name);
    if (FILE.test(name)) return !names.has(name);
    const sentence = SENTENCE.exec(name)?.[1];
    // Quoted words count, too: names of metrics and of packages are string literals in the sources.
    return sentence && !new RegExp(`(?:fn |")${sentence}${sentence.endsWith("_") ? "" : "\\b"}`).test(source);
  });
}

/** The blocks of code after a line that ends with a link to a file of the examples and a colon. */
function quotes(/** @type {string} */ text) {
  const block = /\]\(\.\.\/(examples\/[^)]+)\):\n\n?```.*\n([\s\S]*?)\n?```/g;
  return [...text.matchAll(block)].map(([, file, lines]) => ({ file, lines: lines.split("\n") }));
}

/** True when the lines follow each other in the source, all moved by the same blanks. */
function has(/** @type {string} */ source, /** @type {string[]} */ lines) {
  const all = source.split("\n");
  return all.some((line, at) => {
    const blanks = line.slice(0, line.length - lines[0].length);
    if (blanks.trim() || lines[0] === "") return false;
    return lines.every((quoted, next) => [quoted, blanks + quoted].includes(all[at + next]));
  });
}

for (const document of DOCUMENTS) {
  test(`${document} names and quotes what is there`, () => {
    const text = read(document);
    assert.deepEqual(stale(text), []);
    for (const { file, lines } of quotes(text)) {
      assert.ok(has(read(file), lines), `these are no lines of ${file}:\n${lines.join("\n")}`);
    }
  });
}

test("docs/README.md has every guide in one row", () => {
  const rows = [...read("docs/README.md").matchAll(/^\| \[(.+)\]\((.+)\) \|/gm)].map(([, name, link]) => [name, link]);
  const there = ["", "internals/"].flatMap((folder) => readdirSync(join(ROOT, "docs", folder)).map((name) => folder + name));
  const guides = there.filter((name) => /\.(md|yaml)$/.test(name) && name !== "README.md" && !name.endsWith(".es.md"));
  assert.deepEqual(rows.map(([, link]) => link).sort(), guides.sort());
  for (const [name, link] of rows) assert.equal(name, link);
});

test("Cargo.toml names each test of the component, which cargo does not find by itself", () => {
  const named = read("Cargo.toml").split('path = "tests/component/').slice(1).map((rest) => rest.split('"')[0]);
  const there = readdirSync(join(ROOT, "tests/component")).filter((name) => name.endsWith(".rs"));
  assert.deepEqual(named.sort(), there.sort());
});

test("package.json overrides a package to the version that the tests ask for", () => {
  const json = (/** @type {string} */ path) => JSON.parse(read(path));
  const [wanted] = Object.values(json("package.json").overrides["chrome-aws-lambda"]);
  assert.equal(wanted, json("tests/engines/package.json").devDependencies["puppeteer-core"]);
});

test("docs/yew.md has every prop of the component", () => {
  const items = read("crates/testing/interfaces/snapshots/payment-checkout.txt").split("\n");
  const props = items.flatMap((line) => line.split("pub payment_checkout::CheckoutProps::")[1]?.split(":")[0] ?? []);
  const rows = read("docs/yew.md").match(/^\| `[a-z].*$/gm)?.map((row) => row.split("|")[1]) ?? [];
  const named = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  assert.ok(props.length > 20);
  assert.deepEqual(
    props.filter((name) => !named.includes(name)),
    [],
  );
});

test("a test or a file that is not there is found", () => {
  const source = 'fn paid_is_paid_for_good() {} "figure_of_the_day"';
  const check = (/** @type {string} */ text) => stale(text, source, (path) => path === "src/lib.rs", new Set(["lib.rs"]));
  const there = "`states::paid_is_paid_for_good` `paid_is_paid_` `figure_of_the_day` `src/lib.rs` `lib.rs` `src/*.rs` `two_words`";
  assert.deepEqual(check(there), []);
  assert.deepEqual(check("no_such_test_here"), []);
  const gone = ["paid_is_paid_for", "paid_is_paid_twice_", "states::paid_is_lost_again", "src/main.rs", "main.rs", "a-b.mjs"];
  assert.deepEqual(check(gone.map((name) => `\`${name}\``).join(" ")), gone);
});

test("a quote is some lines of the file", () => {
  const text = "Sign, in [a](../examples/a.php):\n\n```php\none\n\ntwo\n```\n\n```php\nown\n```\n[c](c.md):\n```\nown\n```\n";
  assert.deepEqual(quotes(text), [{ file: "examples/a.php", lines: ["one", "", "two"] }]);
  const source = "  if a:\n    b\n\n  c\n";
  for (const lines of [["if a:", "  b", "", "c"], ["  if a:", "    b"], ["b"]]) assert.ok(has(source, lines));
  for (const lines of [["a:"], ["if a:", "b"], ["b", "c"], ["c", "d"]]) assert.ok(!has(source, lines));
});
