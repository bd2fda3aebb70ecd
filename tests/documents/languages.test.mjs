// A document in Spanish says what the English one beside it says: the same code, headings and links, in words of its own.
//
// `cargo xtask test --only prose` runs it.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), "utf8");

const SPANISH = ["", "docs"].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".es.md"))
    .map((name) => join(folder, name)),
);

const CODE = /^```.*\n[\s\S]*?^```$/gm;

/** Where the links and pictures of a text without its code lead. @returns {string[]} */
function links(/** @type {string} */ prose) {
  return [...prose.matchAll(/(?:\]\(|<(?=http)|src=")([^\s)>"]+)/g)].map(([, address]) => address);
}

/** What both languages have in common. */
function frame(/** @type {string} */ text) {
  const prose = text.replace(CODE, "");
  return {
    code: text.match(CODE) ?? [],
    // A heading's level, without its words.
    headings: prose.match(/^#+(?= )/gm) ?? [],
    // Sentences have an order of their own in each language. A heading of a translated page has a name of its own.
    links: links(prose)
      .map((address) => address.replace(".es.md", ".md").replace(/^((?:\S*(?:README|sellers|start)\.md)?#).*/, "$1"))
      .sort(),
  };
}

/** The addresses of headings, as GitHub makes them. */
function anchors(/** @type {string} */ text) {
  const headings = text.replace(CODE, "").matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, words]) => words.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-"));
}

test("the first pages are in both languages", () => {
  assert.deepEqual(SPANISH, ["README.es.md", "docs/sellers.es.md", "docs/start.es.md"]);
});

for (const spanish of SPANISH) {
  const english = spanish.replace(".es.md", ".md");

  test(`${spanish} has the code, headings and links of ${english}`, () => {
    assert.deepEqual(frame(read(spanish)), frame(read(english)));
  });

  for (const document of [english, spanish]) {
    test(`the links of ${document} lead somewhere`, () => {
      for (const address of links(read(document).replace(CODE, ""))) {
        if (address.startsWith("http")) continue;
        const [file, heading] = address.split("#");
        const path = file ? join(document, "..", file) : document;
        assert.ok(existsSync(join(ROOT, path)), path);
        assert.ok(!heading || anchors(read(path)).includes(heading), `${path}#${heading}`);
      }
    });
  }
}

test("a page that drifted is found", () => {
  const page = "# One\n\n[two](two.md#three)\n\n```sh\n# no heading\n```\n";
  const same = "# Uno\n\n[dos](two.md#three)\n\n```sh\n# no heading\n```\n";
  assert.deepEqual(frame(same), frame(page));
  for (const [from, to] of [["# Uno", "## Uno"], ["two.md", "one.md"], ["no heading", "otra cosa"], ["#three", "#tres"]]) {
    assert.notDeepEqual(frame(same.replace(from, to)), frame(page));
  }
});
