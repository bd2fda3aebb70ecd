// Tests the npm package as files: its parts agree with each other and with their sources.
//
// `cargo xtask test --only consumers` packs it first.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const PACKAGE =
  process.env.PACKAGE ??
  fileURLToPath(new URL("../../target/npm/payment-checkout-element", import.meta.url));
const ROOT = new URL("../../", import.meta.url);

const text = (path) => readFile(join(PACKAGE, path), "utf8");
const source = (path) => readFile(new URL(path, ROOT), "utf8");
const json = async (path) => JSON.parse(await text(path));
const sorted = (names) => [...new Set(names)].sort();
const all = (text, pattern) => sorted([...text.matchAll(pattern)].map(([, name]) => name));

const { exports } = await json("package.json");
const manifest = await json("custom-elements.json");

/** @returns what the manifest says of an element */
function described(tag) {
  const declarations = manifest.modules.flatMap((module) => module.declarations);
  return declarations.find(({ tagName }) => tagName === tag);
}

const names = (things) => sorted(things.map(({ name }) => name));

test("every file that the manifest names is there, and depends on nothing", async () => {
  const { dependencies, files, sideEffects } = await json("package.json");
  assert.equal(dependencies, undefined);
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );
  for (const path of [...targets, ...sideEffects]) await readFile(join(PACKAGE, path));
  const there = await readdir(PACKAGE);
  assert.deepEqual(sorted([...files, "README.md", "package.json"]), sorted(there));
});

test("the licences of what is inside the wasm are named, each with its wording", async () => {
  const licences = await text("THIRD-PARTY-LICENSES.txt");
  for (const name of ["yew", "serde", "wasm-bindgen", "gloo-net"]) {
    assert.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+: .*MIT`, "m"));
  }
  assert.match(licences, /Permission is hereby granted, free of charge/);
  assert.doesNotMatch(licences, /^(payment-model|syn|merchant-backend) /m);
});

test("the page's lines name the files, and nothing that a cached script of another build would break", async () => {
  const lines = (await text("element/preload.html")).trim().split("\n");
  const [wasm] = (await readdir(join(PACKAGE, "element"))).filter((name) => name.endsWith(".wasm"));
  assert.deepEqual(lines, [
    `<link rel="modulepreload" href="/element/payment-checkout.js">`,
    `<link rel="preload" as="fetch" crossorigin href="/element/${wasm}">`,
  ]);
});

test("the version is the crate's", async () => {
  const cargo = await source("Cargo.toml");
  const [, version] = cargo.match(/\[workspace\.package\]\nversion = "(.*)"/);
  assert.equal((await json("package.json")).version, version);
});

test("npm refuses to publish the package while its name is not ours", async () => {
  const { npm } = JSON.parse(await source("crates/build/xtask/names.json"));
  const own = await json("package.json");
  assert.equal(own.private, npm[own.name] === "ours" ? undefined : true);
});

test("no page of the package leads to a repository that is not ours", async () => {
  const [[address, owner]] = Object.entries(JSON.parse(await source("crates/build/xtask/names.json")).repository);
  const guides = (await readdir(join(PACKAGE, "docs"))).map((name) => `docs/${name}`);
  for (const page of [...guides, "README.md", "AGENTS.md", "llms.txt", "CHANGELOG.md", "package.json"]) {
    assert.ok(owner === "ours" || !(await text(page)).includes(address), page);
  }
});

for (const [folder, name, www] of [
  ["element", "payment-checkout", "www/checkout-element"],
  ["operations", "payment-operations", "www/staff-element"],
]) {
  test(`${name}: the wasm has the integrity and the name that both entry points ask for`, async () => {
    const asked = async (module) =>
      (await text(`${folder}/${module}.js`)).match(
        /new URL\("([^"]*\.wasm)",import\.meta\.url\),integrity:"([^"]*)"/,
      );
    const [, file, integrity] = await asked(name);
    assert.deepEqual((await asked(folder)).slice(1), [file, integrity]);
    const hash = createHash("sha384").update(await readFile(join(PACKAGE, folder, file)));
    assert.equal(`sha384-${hash.copy().digest("base64")}`, integrity);
    assert.equal(`${name}-${hash.digest("hex").slice(0, 10)}.wasm`, file);
    const wasm = (await readdir(join(PACKAGE, folder))).filter((name) => name.endsWith(".wasm"));
    assert.deepEqual(wasm, [file]);
  });

  test(`${name}: the style sheet as a file has the text that scripts adopt`, async () => {
    const css = await text(`${folder}/style.css`);
    const module = await text(`${folder}/${folder}.js`);
    // The minifier writes it as a template.
    assert.ok(module.includes(`\`${css.replaceAll("\\", "\\\\")}\``));
  });

  test(`${name}: every module's map leads to its sources`, async () => {
    const modules = (await readdir(join(PACKAGE, folder))).filter((name) => name.endsWith(".js"));
    // Files of texts have their sources in Rust.
    for (const module of modules.filter((module) => !module.startsWith("texts-"))) {
      const map = `${module}.map`;
      assert.ok((await text(`${folder}/${module}`)).endsWith(`\n//# sourceMappingURL=${map}\n`), module);
      const { sources, sourcesContent } = await json(`${folder}/${map}`);
      const own = sources.map((path) => path.replace("../../", ""));
      assert.ok(own.some((path) => path.startsWith(`${www}/`)), module);
      for (const [at, path] of own.entries()) {
        // A map has a style sheet as it is in the module, and does not repeat what is printed.
        if (/^www\/.*\.ts$/.test(path) && !path.includes("/printed/")) assert.equal(sourcesContent[at], await source(path), path);
      }
    }
  });

  test(`${name}: no module imports anything from outside`, async () => {
    const files = await readdir(join(PACKAGE, folder));
    for (const module of files.filter((file) => file.endsWith(".js"))) {
      const imports = (await text(`${folder}/${module}`)).matchAll(/(?:from|import)\s*\(?"([^"]+)"/g);
      for (const [, path] of imports) assert.ok(files.includes(path.replace("./", "")), `${module}: ${path}`);
    }
  });
}

test("the manifest names every custom property of the style sheets", async () => {
  for (const [tag, folder] of [
    ["payment-checkout", "element"],
    ["payment-operations", "operations"],
  ]) {
    const used = all(await text(`${folder}/style.css`), /var\((--(?:checkout|operations)-[a-z-]+)/g);
    assert.deepEqual(names(described(tag).cssProperties), used);
  }
});

test("what editors read has every element, and the version of the package", async () => {
  const tags = ["payment-checkout", "payment-operations"];
  const custom = await json("html-custom-data.json");
  const { name, version, contributions } = await json("web-types.json");
  const own = await json("package.json");
  assert.deepEqual([name, version], [own.name, own.version]);
  assert.deepEqual([own["web-types"], own.customElements], ["./web-types.json", "./custom-elements.json"]);
  assert.deepEqual(names(custom.tags), tags);
  assert.deepEqual(names(contributions.html.elements), tags);
});

test("the README imports what is exported", async () => {
  const readme = await text("README.md");
  for (const [, path] of readme.matchAll(/payment-checkout-element(\/[a-z/-]+(?:\.(?:wasm|json))?)/g)) {
    assert.ok(Object.hasOwn(exports, `.${path}`), path);
  }
});

/** The anchors of a page's headings. */
function anchors(/** @type {string} */ page) {
  const headings = page.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading]) => heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-"));
}

test("the links of the guides lead to files and headings of the package, or to the web", async () => {
  const guides = (await readdir(join(PACKAGE, "docs"))).map((name) => `docs/${name}`);
  const pages = [...guides.filter((name) => name.endsWith(".md")), "AGENTS.md", "CHANGELOG.md", "README.md", "llms.txt"];
  assert.ok(guides.includes("docs/openapi.yaml") && guides.includes("docs/element.md"), String(guides));
  for (const page of pages) {
    for (const [, link] of (await text(page)).matchAll(/\]\(([^)]+)\)/g)) {
      if (link.startsWith("https://")) continue;
      const [path, anchor] = link.split("#");
      const target = path ? join(page, "..", path) : page;
      const found = await text(target).catch(() => assert.fail(`${page}: ${link}`));
      if (anchor) assert.ok(anchors(found).includes(anchor), `${page}: ${link}`);
    }
  }
});

test("llms.txt has every guide", async () => {
  const listed = await text("llms.txt");
  for (const name of await readdir(join(PACKAGE, "docs"))) assert.ok(listed.includes(`(docs/${name})`), name);
});
