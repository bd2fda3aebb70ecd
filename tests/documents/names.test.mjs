// Documents, messages and manifests run, install and link only packages, crates and repositories whose names we have
// registered (`"ours"` in crates/build/xtask/names.json): until then anybody may register the name, and a
// reader who follows the document would install that package.
//
// `cargo xtask test --only prose` runs it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

/** @typedef {{ npm: Record<string, string>, crates: Record<string, string>, repository: Record<string, string> }} Table */
/** @typedef {{ text: string, end: boolean, soft: boolean }} Word a word, whether its command ends with it, and whether its row does */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), "utf8");
/** @type {Table} */
const TABLE = JSON.parse(read("crates/build/xtask/names.json"));
const VERSION = /\[workspace\.package\]\nversion = "(.*)"/.exec(read("Cargo.toml"))?.[1] ?? "";

/** Where anybody publishes under a name, with the kind of names it has. */
const PLACES = {
  npm: ["npmjs.com", "npmjs.org", "unpkg.com", "jsdelivr.net", "esm.sh", "esm.run", "skypack.dev", "jspm.io", "jspm.dev", "yarnpkg.com"],
  crates: ["docs.rs", "crates.io", "lib.rs"],
  elsewhere: ["github.com", "github.io", "githubusercontent.com", "gitlab.com", "codeberg.org", "ghcr.io", "docker.io", "quay.io"],
};

const INSTALLS = ["install", "i", "in", "add", "update", "up", "upgrade", "pack", "view", "info", "show"];
const RUNS = ["exec", "x", "dlx"];
const MAKES = ["create", "init"];
const MANAGERS = ["npm", "pnpm", "yarn", "bun", "deno"];
const RUNNERS = ["npx", "bunx", "pnpx"];
const CONTAINERS = ["podman", "docker"];

const isFile = (/** @type {string} */ word) => /^(?:\.{0,2}\/|~|file:)|\.(?:tgz|tar\.gz)$/.test(word);
const isFlag = (/** @type {string} */ word) => word.startsWith("-");

/** True for a name of ours, of whatever kind, and for one that a reader takes for ours. */
function looksLikeOurs(/** @type {string} */ name, /** @type {Table} */ table) {
  const bare = name.toLowerCase().replace(/^@/, "").replace(/^create-/, "").replace(/\.git$/, "");
  const ours = [...Object.keys(table.npm), ...Object.keys(table.crates), "payment-checkout", "payment-sandbox", "payment-operations"];
  return ours.some((own) => bare === own || bare.startsWith(`${own}-`) || bare.startsWith(`${own}/`));
}

/** Reads words and finds those that lead to a name that is not ours. */
class Reader {
  /** @type {string[]} */
  found = [];

  constructor(/** @type {Table} */ table, /** @type {string} */ version) {
    this.table = table;
    this.version = version;
    this.repositories = Object.keys(table.repository).map((address) => ({
      short: new URL(address).pathname.slice(1),
      ours: table.repository[address] === "ours",
    }));
  }

  name(/** @type {"npm" | "crates" | "elsewhere"} */ kind, /** @type {string} */ name, /** @type {string} */ seen) {
    if (kind !== "elsewhere" && this.table[kind][name] === "ours") return;
    if (looksLikeOurs(name, this.table)) this.found.push(seen);
  }

  /** What npm installs: a package, perhaps under another name, or a repository. */
  package(/** @type {string} */ word, seen = word) {
    if (isFile(word) || word.includes("://") || this.repositories.some(({ short }) => word.includes(short))) return;
    const spec = word.replace(/^.+@npm:|^npm:/, "");
    this.name("npm", /^@?[^@]*/.exec(spec)?.[0] ?? spec, seen);
  }

  /** Anything that leads somewhere by itself, in a command or not. */
  word(/** @type {string} */ word) {
    const file = word.split("/").at(-1) ?? "";
    const [, stem, version] = /^([a-z][a-z-]*[a-z\d])-(\d+\.\d+\.\d+)[-.].*(?:tgz|tar\.gz)$/.exec(file) ?? [];
    if (stem && this.version && version !== this.version && looksLikeOurs(stem, this.table)) this.found.push(word);
    if (/(?:^|@)npm:/.test(word)) this.package(word);
    const address = word.replace(/^git\+/, "").replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, "https://$1/").replace(/^github:/, "https://github.com/");
    for (const { short, ours } of this.repositories) {
      if (new RegExp(`^${short}(?:\\.git)?(?:[#@].*)?$`).test(address) && !ours) this.found.push(word);
    }
    // In a link, an attribute or a text of a program an address is a part of the word.
    const addresses = address.match(/https?:\/\/[^)\]}]+/g) ?? [address];
    for (const each of addresses) this.address(each, word);
  }

  address(/** @type {string} */ address, /** @type {string} */ seen) {
    const [, scheme, host, path] = /^(https?:)?(?:\/\/)?([a-z\d-]+(?:\.[a-z\d-]+)+)(?::\d+)?(?:\/(.*))?$/i.exec(address) ?? [];
    if (!host) return;
    const place = Object.entries(PLACES).find(([, hosts]) => hosts.some((each) => host === each || host.endsWith(`.${each}`)));
    const kind = /** @type {"npm" | "crates" | "elsewhere"} */ (place?.[0] ?? "elsewhere");
    const labels = (scheme || place) && !host.endsWith(".example") ? host.split(".") : [];
    const segments = place ? (path ?? "").split(/[/?#]/) : [];
    const [owner, repository] = segments.map((each) => each.replace(/\.git$/, ""));
    if (kind === "elsewhere" && this.repositories.some(({ short, ours }) => ours && short === `${owner}/${repository}`)) return;
    for (const name of [...labels, ...segments]) {
      const known = this.found.length;
      this.name(kind, name.replace(/^npm:/, "").replace(/(?<=.)@.*/, ""), seen);
      if (this.found.length > known) return;
    }
  }

  /** A command from its program to its end. */
  command(/** @type {string} */ program, /** @type {string[]} */ words) {
    const seen = [program, ...words].join(" ");
    if (RUNNERS.includes(program)) this.runs(words, seen);
    if (MANAGERS.includes(program)) {
      const at = words.findIndex((word) => [...INSTALLS, ...RUNS, ...MAKES].includes(word));
      // Before it are flags, with a value each.
      if (at < 0 || words.slice(0, at).some((word, before) => !isFlag(word) && before > 0 && !isFlag(words[before - 1]))) return;
      const rest = words.slice(at + 1);
      if (RUNS.includes(words[at])) this.runs([...words.slice(0, at), ...rest], seen);
      else if (INSTALLS.includes(words[at])) for (const word of rest) this.package(word, seen);
      else for (const word of rest.filter((each) => !isFlag(each)).slice(0, 1)) this.package(`create-${word}`, seen);
    }
    if (program === "cargo") {
      const [verb, ...rest] = words.filter((word) => !word.startsWith("+"));
      const isLocal = rest.some((word) => /^--path(?:=|$)/.test(word));
      if (!["install", "add", "binstall", "info"].includes(verb) || isLocal) return;
      for (const word of rest) this.name("crates", word.replace(/(?<=.)@.*/, ""), seen);
    }
    if (program === "gh") {
      const values = words.flatMap((word, at) => (/^(?:--repo|-R|--owner|-o)$/.test(word) ? [words[at + 1] ?? ""] : [/^--(?:repo|owner)=(.*)/.exec(word)?.[1] ?? ""]));
      for (const value of values) {
        if (this.repositories.some(({ short, ours }) => ours && [short, short.split("/")[0]].includes(value))) continue;
        this.name("elsewhere", value, seen);
      }
    }
    // A name without a registry is looked for at registries.
    if (CONTAINERS.includes(program) && ["run", "pull", "create"].includes(words[0])) {
      for (const word of words) this.name("elsewhere", word.replace(/:.*/, ""), seen);
    }
  }

  /** What a runner of packages downloads if it is not installed, unless a flag forbids it. */
  runs(/** @type {string[]} */ words, /** @type {string} */ seen) {
    const named = words.flatMap((word, at) => (/^(?:-p|--package)$/.test(word) ? [words[at + 1] ?? ""] : [/^--package=(.*)/.exec(word)?.[1] ?? ""]));
    const first = words.findIndex((word, at) => !isFlag(word) && !/^(?:-p|--package)$/.test(words[at - 1] ?? ""));
    const flags = first < 0 ? words : words.slice(0, first);
    if (flags.some((word) => word === "--no" || word === "--no-install")) return;
    for (const word of [...named, words[first] ?? ""]) this.package(word, seen);
  }
}

/** The words of a text, without marks of comments, quotes and the punctuation around them. @returns {Word[]} */
function wordsOf(/** @type {string} */ text, isMarkdown = false) {
  /** @type {Word[]} */
  const words = [];
  let [isFence, isCode] = [false, false];
  for (const line of text.split("\n")) {
    if (line.trim() === "" || /^\s*```/.test(line)) {
      if (line.trim()) isFence = !isFence;
      isCode = false;
      words.push({ text: "", end: true, soft: false });
      continue;
    }
    const isJoined = line.endsWith("\\");
    const own = line.replace(/^\s*(?:\/\/[/!]?|#+|\*|>)?\s/, "").replace(/\\`/g, "`").replace(/\\$/, "");
    for (const part of own.split(/(`|[\s'"]+|&&|\|\||[|;<>]|\$\()/)) {
      if (part === "`") isCode = !isCode;
      if (/^(?:`|&&|\|\||[|;<>]|\$\()$/.test(part)) words.push({ text: "", end: true, soft: false });
      const word = part.trim().replace(/^[([{*]+|[)\]},.:!?*]+$/g, "");
      if (word && !/^['"+\\]+$/.test(word)) words.push({ text: word, end: false, soft: false });
    }
    // A row of inline code is no end.
    if (!isJoined && !(isMarkdown && isCode && !isFence)) words.push({ text: "", end: false, soft: true });
  }
  return words;
}

/** Lines of a manifest that name a version or an address of a package instead of a path. */
function dependencies(/** @type {string} */ text, /** @type {Reader} */ reader) {
  let table = "";
  /** @type {string[]} */
  let fields = [];
  const closed = () => {
    const name = /dependencies\.["']?([\w-]+)/.exec(table)?.[1];
    if (name && fields.some((field) => /^(?:version|git)\b/.test(field)) && !fields.some((field) => /^path\b/.test(field))) {
      reader.name("crates", name, table);
    }
  };
  for (const line of text.split("\n").map((each) => each.replace(/^\s*(?:#|\/\/[/!]?)?\s*/, ""))) {
    if (line.startsWith("[")) {
      closed();
      [table, fields] = [line, []];
    }
    fields.push(line);
    const [, name, value] = /^["']?([a-z][\w-]*)["']?\s*=\s*(["{].*)/.exec(line) ?? [];
    const renamed = /\bpackage\s*=\s*["']([\w-]+)/.exec(value ?? "")?.[1];
    const isElsewhere = /^"[\^~=<>*\s]*[\d*]/.test(value ?? "") || (/^\{.*\b(?:version|git)\s*=/.test(value ?? "") && !/\bpath\s*=/.test(value ?? ""));
    if (name && isElsewhere) reader.name("crates", renamed ?? name, line);
    const [, key, range] = /^"(@?[a-z][\w/-]*)"\s*:\s*"([^"]*)"/.exec(line) ?? [];
    if (key && /^(?:[\^~=<>v\s]*\d+(?:\.|$)|\*|latest)/.test(range)) reader.name("npm", key, line);
  }
  closed();
}

/** What a text says that leads to a name that is not ours. @returns {string[]} */
function strange(/** @type {string} */ text, { table = TABLE, version = VERSION, isMarkdown = true } = {}) {
  const reader = new Reader(table, version);
  const words = wordsOf(text, isMarkdown);
  for (const [at, { text: word }] of words.entries()) {
    if (!word) continue;
    reader.word(word);
    const program = word.split("/").at(-1) ?? "";
    if (![...MANAGERS, ...RUNNERS, ...CONTAINERS, "cargo", "gh"].includes(program)) continue;
    /** @type {string[]} */
    const rest = [];
    // A row ends a command that has what it acts on.
    const isComplete = () => rest.filter((each) => !isFlag(each)).length > (RUNNERS.includes(program) ? 0 : 1);
    for (const next of words.slice(at + 1, at + 60)) {
      if (next.end || (next.soft && isComplete())) break;
      if (next.text) rest.push(next.text);
    }
    reader.command(program, rest);
  }
  dependencies(text, reader);
  return [...new Set(reader.found)];
}

const WRONG = [
  "npm install payment-checkout-element",
  "npm i --save-dev payment-checkout-element@0.1.0",
  "npm install vite payment-checkout",
  "npm --prefix /srv install payment-checkout-element",
  "`npm install --save-dev\npayment-checkout-sandbox`",
  "Run `npm install vite typescript\npayment-checkout-element` first.",
  "npm install \\\n  --save-dev vite \\\n  payment-checkout-element",
  "npm init -y && npm add payment-checkout-element",
  "pnpm add payment-checkout-element",
  "yarn global add payment-checkout-sandbox",
  "bun add payment-checkout-react",
  "deno add npm:payment-checkout-element",
  "npm install checkout@npm:payment-checkout-element@1",
  "import 'npm:payment-checkout-element@0.1.0/element';",
  "npx payment-checkout-element verify",
  "`npx\npayment-checkout-element` verify",
  "npx -y payment-checkout-element@0.1.0 verify",
  "npx --package payment-checkout-element verify",
  "npx vite && npx payment-checkout-sandbox",
  "npm exec payment-checkout-sandbox -- --help",
  "npx payment-checkout-sandbox --no-install",
  "pnpm dlx payment-checkout-element",
  "bunx payment-sandbox",
  "npm create payment-checkout",
  "npm install @payment-checkout/element",
  "npm install payment-checkout/payment-checkout",
  "npm install github:payment-checkout/payment-checkout#main",
  "npm install ./payment-checkout-element-0.0.9.tgz",
  "tar -xzf payment-sandbox-0.0.9-x86_64-unknown-linux-musl.tar.gz",
  '  "payment-checkout-element": "^0.1.0",',
  "<script type=module src=https://unpkg.com/payment-checkout-element@0.1.0></script>",
  "https://cdn.jsdelivr.net/npm/payment-checkout-element/element/payment-checkout.js",
  "import 'https://esm.sh/payment-checkout-element'",
  "See [npm](https://www.npmjs.com/package/payment-checkout-element).",
  "cargo install payment-sandbox",
  "`cargo install\npayment-sandbox`, then",
  "// `cargo install\n// payment-sandbox`, then",
  "cargo +stable install --locked payment-sandbox@0.1.0",
  "cargo install --git https://github.com/payment-checkout/payment-checkout payment-sandbox",
  "cargo add payment-checkout",
  'payment-checkout = "0.1"',
  'payment-model = { version = "0.1", features = ["open-fields"] }',
  'checkout = { package = "payment-checkout", version = "0.1" }',
  'payment-checkout = { git = "https://git.example/payment-checkout" }',
  '[dependencies.payment-model]\nversion = "0.1"',
  "git clone https://github.com/payment-checkout/payment-checkout",
  "git clone git@github.com:payment-checkout/payment-checkout.git",
  "https://github.com/somebody/payment-checkout/issues",
  "https://payment-checkout.github.io/",
  "gh attestation verify SHA256SUMS --repo payment-checkout/payment-checkout",
  "gh release download --owner=payment-checkout",
  "uses: payment-checkout/payment-checkout@v1",
  "<https://docs.rs/payment-checkout/latest>",
  "https://crates.io/crates/payment-model",
  "podman run --network host payment-checkout-demo",
];

const RIGHT = [
  "npm install ./payment-checkout-element-VERSION.tgz",
  "npm install target/npm/payment-checkout-element-VERSION.tgz ./payment-checkout-sandbox-….tgz",
  "npm install --save-dev vite",
  "npm init -y\nnpm install\ncp -r node_modules/payment-checkout-element/element .",
  "npx --no-install payment-checkout-element verify https://shop.example/pay",
  "`npx --no\npayment-checkout-element verify`",
  "npm exec --no payment-checkout-sandbox",
  "npx vite",
  "npm install\n\npayment-checkout-element is the package.",
  "`npm install` of `payment-checkout-element-….tgz`",
  "import 'payment-checkout-element';",
  '"payment-checkout-element": "/element/payment-checkout.js"',
  "cargo install --path crates/sandbox/payment-sandbox --locked",
  "cargo install trunk --version 0.21.14 --locked",
  "cargo run --package payment-sandbox -- --test-amounts",
  'payment-checkout = { path = "../payment-checkout" }',
  'payment-model = { version = "0.1.0", path = "crates/payer/payment-model" }',
  '[dependencies.payment-model]\nversion = "0.1"\npath = "../model"',
  'yew = { version = "0.23", features = ["csr"] }',
  "tar -xzf payment-sandbox-VERSION-x86_64-unknown-linux-musl.tar.gz",
  "podman run localhost/payment-checkout-demo",
  "https://github.com/rustwasm/twiggy and https://docs.rs/yew",
  "gh release upload v1 payment-sandbox-….tar.gz --repo shop/pages",
];

for (const line of WRONG) {
  test(`refused: ${line}`, () => assert.notDeepEqual(strange(line), []));
}

for (const line of RIGHT) {
  test(`allowed: ${line}`, () => assert.deepEqual(strange(line.replaceAll("VERSION", VERSION)), []));
}

test("a name that became ours is allowed, and no other", () => {
  const ours = JSON.parse(JSON.stringify(TABLE).replaceAll("not yet", "ours"));
  const still = WRONG.filter((line) => strange(line, { table: ours }).length > 0);
  assert.deepEqual(still, [
    "npm install vite payment-checkout",
    "bun add payment-checkout-react",
    "bunx payment-sandbox",
    "npm create payment-checkout",
    "npm install @payment-checkout/element",
    "npm install ./payment-checkout-element-0.0.9.tgz",
    "tar -xzf payment-sandbox-0.0.9-x86_64-unknown-linux-musl.tar.gz",
    "https://github.com/somebody/payment-checkout/issues",
    "https://payment-checkout.github.io/",
    "podman run --network host payment-checkout-demo",
  ]);
});

/** What readers, integrators and users of the programs get, and not what only we run. */
const FILES = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((path) => path && !/^tests\/|\.lock$|package-lock\.json$|^crates\/build\/xtask\/names\.json$|\.(?:png|gif|ico|woff2|wasm)$/.test(path))
  .filter((path) => existsSync(join(ROOT, path)));

test("nothing that we write leads to a name that is not ours", () => {
  const found = FILES.flatMap((path) => {
    // A changelog names the files of earlier releases.
    const version = path === "CHANGELOG.md" ? "" : VERSION;
    return strange(read(path), { version, isMarkdown: path.endsWith(".md") }).map((words) => `${path}: ${words}`);
  });
  assert.ok(FILES.length > 500);
  assert.deepEqual(found, []);
});
