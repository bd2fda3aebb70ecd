// Installs the packed package in pages of other people, in `target/consumers`, and builds them; and follows the guide
// `docs/start.md` to the letter. `consumers.spec.mjs` pays in them afterwards.
//
// `cargo xtask test --only consumers` says where the package is (TARBALL) and the server that the guide's page uses (BACKEND).

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BUILT = join(ROOT, "target/consumers");
const { TARBALL = "", BACKEND = "" } = process.env;

const json = (/** @type {string} */ path) => JSON.parse(readFileSync(path, "utf8"));

/** Runs a command in a folder; its words are the reason when it fails. npm reuses earlier downloads. */
function run(/** @type {string} */ folder, /** @type {string[]} */ [program, ...words]) {
  const quiet = { npm_config_loglevel: "error", npm_config_audit: "false", npm_config_fund: "false", npm_config_prefer_offline: "true" };
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd: folder, encoding: "utf8", env: { ...process.env, ...quiet } });
  assert.ok(status === 0, `${program} ${words.join(" ")} failed: ${error ?? ""}\n${stdout}\n${stderr}`);
}

// A project of its own: npm and Vite, which look for a workspace above a folder, go no further.
mkdirSync(BUILT, { recursive: true });
writeFileSync(join(BUILT, "package.json"), JSON.stringify({ private: true, workspaces: [] }));

for (const name of ["plain", "react", "svelte", "vue", "webpack"]) {
  test(`the page ${name} is installed and built`, () => {
    const [source, folder] = [join(HERE, name), join(BUILT, name)];
    mkdirSync(folder, { recursive: true });
    // Packages take long to install.
    for (const old of readdirSync(folder)) if (old !== "node_modules") rmSync(join(folder, old), { recursive: true });
    cpSync(source, folder, { recursive: true, filter: (path) => !/\/(node_modules|dist)$/.test(path) });
    const [lock, record] = [join(folder, "package-lock.json"), join(folder, "node_modules/.installed-package-lock.json")];
    const same = () => existsSync(record) && readFileSync(record, "utf8") === readFileSync(lock, "utf8");
    if (existsSync(lock) && !same()) {
      run(folder, ["npm", "ci"]);
      cpSync(lock, record);
    }
    const installed = join(folder, "node_modules/payment-checkout-element");
    rmSync(installed, { recursive: true, force: true });
    run(folder, ["npm", "install", "--no-save", "--no-package-lock", TARBALL]);
    if (json(join(source, "package.json")).scripts?.build) run(folder, ["npm", "run", "build"]);
    // A page without a build has the package's folder beside it, as the README says.
    else cpSync(join(installed, "element"), join(folder, "element"), { recursive: true });
  });
}

test("the package is installed by its file alone, without a registry", () => {
  const folder = join(BUILT, "alone");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Without a manifest npm would install into the workspace above.
  writeFileSync(join(folder, "package.json"), "{}");
  run(folder, ["npm", "install", "--offline", "--cache", join(folder, "cache"), TARBALL]);
  run(folder, ["npx", "--no-install", "payment-checkout-element", "--help"]);
});

/**
 * The steps of a guide: each line of a block of `sh` is a command; any other block of code after a paragraph that begins
 * with a file's name is that file.
 */
function guideSteps(/** @type {string} */ guide) {
  let file = "";
  /** @type {({ command: string } | { file: string, text: string })[]} */
  const found = [];
  for (const [, name, language, text] of guide.matchAll(/^\*\*`([^`]+)`\*\*|^```(\w*)\n([\s\S]*?)^```$/gm)) {
    if (name) file = name;
    else if (language === "sh") found.push(...text.trimEnd().split("\n").map((command) => ({ command })));
    else if (file) {
      found.push({ file, text });
      file = "";
    }
  }
  return found;
}

test("docs/start.md can be followed to its last command, which the test that pays runs", () => {
  const folder = join(BUILT, "start");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const steps = guideSteps(readFileSync(join(ROOT, "docs/start.md"), "utf8"));
  assert.ok(steps.some((step) => "command" in step && step.command === "npx vite"));
  // A new release of Vite cannot break this test.
  const vite = `vite@${json(join(HERE, "react/package.json")).devDependencies.vite}`;
  const instead = { [`./${basename(TARBALL)}`]: TARBALL, "vite@8": vite };
  assert.ok(steps.some((step) => "command" in step && step.command === `npm install ./${basename(TARBALL)}`));
  for (const step of steps) {
    if ("file" in step) writeFileSync(join(folder, step.file), step.text.replaceAll("127.0.0.1:8081", BACKEND));
    else if (step.command !== "npx vite") run(folder, step.command.split(" ").map((word) => instead[word] ?? word));
  }
});

test("the steps of a guide are its files and commands", () => {
  const guide = "```text\nelsewhere\n```\nSo:\n```sh\nnpm init -y\nnpx vite\n```\n**`a.js`** is this:\n\n```js\none();\n\ntwo();\n```\n";
  const file = { file: "a.js", text: "one();\n\ntwo();\n" };
  assert.deepEqual(guideSteps(guide), [{ command: "npm init -y" }, { command: "npx vite" }, file]);
});
