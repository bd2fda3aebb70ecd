// Tests the npm package as files: its parts agree with each other and with their sources.
//
// `cargo xtask test --only consumers` packs it first.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

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

/** @returns the texts of a union in the declarations */
function union(types, name) {
  const [, list] = types.match(new RegExp(`type ${name} =([^;]*);`));
  return all(list, /'([\w -]+)'/g);
}

test("importing anything on a server does nothing and throws nothing", async () => {
  const before = Object.getOwnPropertyNames(globalThis);
  for (const [entry, target] of Object.entries(exports)) {
    const path = target.default ?? target;
    if (!path.endsWith(".js")) continue;
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

for (const [folder, name, www] of [
  ["element", "payment-checkout", "www/element"],
  ["operations", "payment-operations", "www/staff-element"],
]) {
  test(`${name}: the wasm has the integrity and the name that both ways in ask for`, async () => {
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
        if (path.startsWith("www/")) assert.equal(sourcesContent[at], await source(path), path);
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

for (const [tag, code, types, declaredIn] of [
  ["payment-checkout", "www/element/attributes.ts", "types/element.d.ts", "types/attributes.d.ts"],
  ["payment-operations", "www/staff-element/operations-element.ts", "types/operations/element.d.ts"],
]) {
  test(`${tag}: the manifest and the types name every attribute, and its property`, async () => {
    const [, list] = (await source(code)).match(/ATTRIBUTES = \[([^\]]*)\]/);
    const [, switches = ""] = (await source(code)).match(/SWITCHES = \[([^\]]*)\]/) ?? [];
    const attributes = all(list + switches, /'([\w-]+)'/g);
    const { attributes: described_, members } = described(tag);
    assert.deepEqual(names(described_), attributes);
    const declared = await text(types);
    const typed = declaredIn
      ? await text(declaredIn)
      : declared.match(/interface OperationsAttributes \{[^}]*\}/)[0];
    assert.deepEqual(all(typed, /^ {2}'?([\w-]+)'?\??: /gm), attributes);
    for (const attribute of attributes) {
      const { name } = members.find((member) => member.attribute === attribute);
      assert.match(declared, new RegExp(`^  ${name}: `, "m"));
    }
  });
}

test("the manifest and the types know the same words of attributes", async () => {
  const words = (tag, attribute) => {
    const { type } = described(tag).attributes.find(({ name }) => name === attribute);
    return all(type.text, /'([^']*)'/g);
  };
  const checkout = await text("types/attributes.d.ts");
  const [, levels] = checkout.match(/type HeadingLevel = ([^;]*);/);
  assert.deepEqual(words("payment-checkout", "heading-level"), all(levels, /(\d)/g));
  const methods = union(await text("types/payment-model.d.ts"), "PaymentMethodName");
  assert.deepEqual(words("payment-checkout", "methods"), methods);
  // A language by itself is another form of one that the element has.
  const forms = ["es", "pt"];
  const locales = (types, name) => union(types, name).filter((name) => !forms.includes(name));
  assert.deepEqual(words("payment-checkout", "locale"), locales(checkout, "CheckoutLocale"));
  const staff = await text("types/operations/element.d.ts");
  assert.deepEqual(words("payment-operations", "locale"), locales(staff, "OperationsLocale"));
  const permissions = words("payment-operations", "permissions");
  assert.ok(permissions.every((word) => union(staff, "OperationsPermissions").includes(word)));
});

test("editors read what the manifest says", async () => {
  const custom = await json("html-custom-data.json");
  const { name, version, contributions } = await json("web-types.json");
  const own = await json("package.json");
  assert.deepEqual([name, version], [own.name, own.version]);
  assert.deepEqual([own["web-types"], own.customElements], ["./web-types.json", "./custom-elements.json"]);
  const declarations = manifest.modules.flatMap((module) => module.declarations);
  const elements = declarations.filter(({ tagName }) => tagName);
  const tags = sorted(elements.map(({ tagName }) => tagName));
  assert.deepEqual(names(custom.tags), tags);
  assert.deepEqual(names(contributions.html.elements), tags);
  for (const element of elements) {
    const known = ({ name }) => name === element.tagName;
    const tag = custom.tags.find(known);
    const contribution = contributions.html.elements.find(known);
    for (const { name } of [...element.events, ...element.slots]) {
      if (name) assert.ok(tag.description.value.includes(`- \`${name}\`: `), name);
    }
    assert.deepEqual(names(contribution.js.events), names(element.events));
    assert.deepEqual(names(contribution.slots), names(element.slots).filter(Boolean));
    assert.deepEqual(names(contribution.css.properties), names(element.cssProperties));
    assert.deepEqual(names(contribution.css.parts), names(element.cssParts));
    const fields = element.members.filter(({ kind }) => kind === "field");
    assert.deepEqual(names(contribution.js.properties), names(fields));
    for (const kind of [tag, contribution]) assert.deepEqual(names(kind.attributes), names(element.attributes));
    for (const { name, description, type } of element.attributes) {
      const same = (attribute) => attribute.name === name;
      const offered = tag.attributes.find(same);
      assert.equal(offered.description.value, description);
      assert.deepEqual(names(offered.values ?? []), all(type.text, /'([^']*)'/g));
      assert.equal(offered.valueSet, type.text === "boolean" ? "v" : undefined);
      const { value, ...typed } = contribution.attributes.find(same);
      assert.deepEqual(typed, { name, description });
      assert.deepEqual(value, type.text === "boolean" ? { kind: "no-value" } : { type: type.text });
    }
  }
});

test("the manifest and the types name every event", async () => {
  const events = names(described("payment-checkout").events);
  const notices = await source("crates/checkout-element/src/events.rs");
  const element = await source("www/element/checkout-element.ts");
  // The screen's name is told by the class itself.
  const told = [...all(notices, /"(checkout-[a-z]+)"/g), ...all(element, /#dispatch\('(checkout-[a-z]+)'/g)];
  assert.deepEqual(sorted(told), events);
  assert.deepEqual(all(await text("types/events.d.ts"), /'(checkout-\w+)': CustomEvent/g), events);
  const staff = names(described("payment-operations").events);
  const declared = await text("types/operations/element.d.ts");
  assert.deepEqual(all(declared, /'(operations-[a-z-]+)': CustomEvent/g), staff);
});

test("the types name every code of an error, and every state", async () => {
  const types = await text("types/events.d.ts");
  const codes = all(await source("crates/checkout-flow/src/failure.rs"), /=> "([\w-]+)"/g);
  assert.deepEqual(union(types, "CheckoutErrorCode"), sorted([...codes, "load", "crash"]));
  const states = all(await source("src/checkout/state_names.rs"), /=> "([\w-]+)"/g);
  const outcomes = all(await text("types/payment-model.d.ts"), /type Outcome = (.*);/g);
  const ends = all(outcomes[0], /"(\w+)"/g);
  const running = sorted([...states.filter((state) => !ends.includes(state)), "loading"]);
  assert.deepEqual(union(types, "CheckoutState"), running);
});

test("the types of the details have the fields that the element sends", async () => {
  const notices = await source("crates/checkout-element/src/events.rs");
  const types = await text("types/events.d.ts");
  const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  const sent = (name) => {
    const [, body] = notices.match(new RegExp(`struct ${name}[^{]*\\{([^}]*)\\}`));
    return sorted(all(body, /^\s+(\w+):/gm).map(camel));
  };
  const declared = (name) => {
    const [, body] = types.match(new RegExp(`interface ${name}[^{]*\\{([^}]*)\\}`));
    return all(body, /^ {2}(\w+):/gm);
  };
  const status = declared("StatusDetail");
  assert.deepEqual(status, sent("StatusDetail"));
  assert.deepEqual(sorted([...status, ...declared("ResultDetail")]), sent("ResultDetail"));
  const [, facts] = (await source("www/element/diagnostics-triggers.ts")).match(/return \{\n( {6}message:.*?)\n {4}\};/s);
  const added = all(facts, /^ {6}(\w+):/gm);
  assert.deepEqual(declared("ErrorDetail"), sorted([...sent("ErrorDetail"), ...added]));
  assert.deepEqual(declared("ActionDetail"), sent("ActionDetail"));
  assert.deepEqual(declared("RedirectDetail"), sent("RedirectDetail"));
});

test("the manifest names every custom property", async () => {
  for (const [tag, folder] of [
    ["payment-checkout", "element"],
    ["payment-operations", "staff-element"],
  ]) {
    const style = await source(`www/${folder}/style.css`);
    const used = all(style, /var\((--(?:checkout|operations)-[a-z-]+)/g);
    assert.deepEqual(names(described(tag).cssProperties), used);
  }
});

test("the manifest names every part and every slot", async () => {
  for (const [tag, views, shared] of /** @type {[string, string, string[]][]} */ ([
    ["payment-checkout", "src/checkout/views", ["crates/browser-kit/src/copy_button.rs"]],
    ["payment-operations", "crates/staff-element/src/views", []],
  ])) {
    const files = await readdir(new URL(views, ROOT), { recursive: true });
    const paths = files.filter((name) => name.endsWith(".rs")).map((name) => `${views}/${name}`);
    const code = await Promise.all([`${views}.rs`, ...shared, ...paths].map(source));
    const written = code.join("\n");
    const described_ = described(tag);
    const literal = all(written, /\bpart=\{?"([a-z -]+)"/g).flatMap((parts) => parts.split(" "));
    const buttons = all(written, /=> "(button [a-z -]+)"/g).flatMap((parts) => parts.split(" "));
    const parts = names(described_.cssParts);
    for (const part of [...literal, ...buttons]) assert.ok(parts.includes(part), `part ${part}`);
    for (const part of parts) {
      assert.ok(
        part === "failure" || new RegExp(`["\\s]${part}["\\s]`).test(written),
        `nothing has the part ${part}`,
      );
    }
    if (tag === "payment-checkout") {
      const slots = names(described_.slots).filter(Boolean);
      for (const slot of slots) assert.ok(written.includes(`"${slot}"`), `slot ${slot}`);
      assert.deepEqual(slots.length, 11);
    }
  }
});

test("the guides name everything that the manifest describes", async () => {
  for (const [guide, kinds] of /** @type {const} */ ([
    ["docs/element.md", ["attributes", "events", "slots"]],
    ["docs/theming.md", ["cssProperties", "cssParts"]],
  ])) {
    const quoted = (await source(guide)).split("`").filter((_, at) => at % 2 === 1);
    for (const tag of ["payment-checkout", "payment-operations"]) {
      const offered = kinds.flatMap((kind) => names(described(tag)[kind] ?? [])).filter(Boolean);
      assert.deepEqual(offered.filter((name) => !quoted.includes(name)), [], `${guide} does not name these of ${tag}`);
    }
  }
});

test("the README imports what is exported", async () => {
  const readme = await text("README.md");
  for (const [, path] of readme.matchAll(/payment-checkout-element(\/[a-z/-]+(?:\.(?:wasm|json))?)/g)) {
    assert.ok(Object.hasOwn(exports, `.${path}`), path);
  }
});
