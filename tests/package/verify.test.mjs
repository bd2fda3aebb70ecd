// `payment-checkout-element verify` against pages of real servers that serve the packed package.
//
// `cargo xtask test --only consumers` packs it first.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { PACKAGE, TAG, line, serve, verify } from "./shop.mjs";

const CSV_HEAD = '"script","purpose","authorized by","integrity","pinned by the page","compared with the release"';

/** @type {import("./shop.mjs").Pages} */
const PAGES = {
  "/pay": `<!doctype html><title>Pay</title>${TAG}<script src=/shop.js></script><script src="/gone.js"></script>`,
  "/moved": { to: "/pay" },
  "/session": `needs ${TAG}`,
  "/base": '<base href="/element/"><SCRIPT TYPE=module SRC="payment-checkout.js?v=1&amp;w=2"></SCRIPT>',
  "/map":
    '<script type="importmap">{"imports": {"payment-checkout-element": "./element/payment-checkout.js"}}</script>' +
    "<script type=module>import 'payment-checkout-element';</script>",
  "/later": '<script type="module" src="/app.js"></script>',
  "/app.js": "const go = () => import('./chunk.js');",
  "/chunk.js": 'import{define as d}from"./element/element.js";d()',
  "/element": '<script type="module" src="/element/element.js"></script>',
  "/staff": '<script type="module" src="/operations/payment-operations.js"></script>',
  "/none": "<p>No script</p><iframe src=/pay></iframe>",
  "/shop.js": "console.log('shop')",
  "/hidden-quote": `${TAG}<p title=it's><script type=module src=/fake/payment-checkout.js></script><p title=it's>`,
  "/hidden-comment": `${TAG}<title><!--</title><script src=/fake/payment-checkout.js></script><p>-->`,
  "/hidden-template": `${TAG}<div><template shadowrootmode=open><script src=/fake/payment-checkout.js></script></template></div>`,
  "/hidden-svg": `${TAG}<svg><style><script href=/fake/payment-checkout.js></script></style></svg>`,
  "/hidden-base": '<!-- <base href="/"> --><base href="/fake/"><script type=module src=payment-checkout.js></script>',
  "/hidden-map":
    `${TAG}<script type=importmap>{"imports": {"pay": "/fake/payment-checkout.js"}}</script><!--` +
    `<script type=importmap>{"imports": {"pay": "/element/payment-checkout.js"}}</script>--><script type=module>import "pay"</script>`,
  "/fake": '<script type="module" src="/fake/payment-checkout.js"></script>',
  "/fake/payment-checkout.js": "fetch('https://elsewhere.example')",
  "/altered": '<link rel="modulepreload" href="/element/payment-checkout.js"><script type="module" src="/altered/payment-checkout.js"></script>',
  "/altered/payment-checkout.js": { type: "text/javascript", body: "fetch('https://elsewhere.example')", status: 203 },
};

/** @type {string} */
let folder;
/** @type {Awaited<ReturnType<typeof serve>>} */
let shop;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "verify-"));
  await cp(PACKAGE, folder, { recursive: true });
  shop = await serve(folder, PAGES);
});
after(async () => {
  shop.stop();
  await rm(folder, { recursive: true });
});

/** Changes a file of the shop for the time of an act. */
async function changed(/** @type {string} */ name, /** @type {(bytes: Buffer) => void} */ change, /** @type {() => Promise<void>} */ act) {
  const bytes = await readFile(join(folder, name));
  const other = Buffer.from(bytes);
  change(other);
  await writeFile(join(folder, name), other);
  await act().finally(() => writeFile(join(folder, name), bytes));
}

test("integrity.json has the hash of every file that a browser loads, and of no other", async () => {
  const { files, version } = JSON.parse(await readFile(join(PACKAGE, "integrity.json"), "utf8"));
  assert.equal(version, JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8")).version);
  const expected = {};
  for (const part of ["element", "operations"]) {
    for (const name of await readdir(join(PACKAGE, part))) {
      if (![".js", ".wasm", ".css"].includes(extname(name))) continue;
      const hash = createHash("sha384").update(await readFile(join(PACKAGE, part, name))).digest("base64");
      expected[`${part}/${name}`] = `sha384-${hash}`;
    }
  }
  assert.deepEqual(files, expected);
});

test("a page that serves the release is the release's, with every file that may be loaded later", async () => {
  const { code, out } = await verify(`${shop.address}/pay`);
  assert.equal(code, 0, out);
  for (const name of (await readdir(join(PACKAGE, "element"))).filter((name) => /\.(js|wasm|css)$/.test(name) && name !== "element.js")) {
    assert.match(line(out, `/element/${name}`) ?? "", /^same /, name);
  }
  assert.match(line(out, "/shop.js") ?? "", /^other /);
  assert.match(line(out, "/gone.js") ?? "", /^other .*the server answers 404/);
  assert.match(out, /Every file of the element is the release's\.\n1 other script /);
});

for (const [what, path] of [
  ["a redirect", "/moved"],
  ["a base and an address with a query", "/base"],
  ["an import map", "/map"],
  ["a module that a module imports later", "/later"],
  ["the staff's page", "/staff"],
]) {
  test(`the element is found through ${what}`, async () => {
    const { code, out } = await verify(shop.address + path);
    assert.equal(code, 0, out);
    assert.match(line(out, ".wasm") ?? "", /^same /);
  });
}

for (const name of ["payment-checkout.js", "element.js", "texts-en.js", "style.css", "wasm"]) {
  test(`one changed byte of ${name} is found`, async () => {
    const file = name === "wasm" ? (await readdir(join(PACKAGE, "element"))).find((each) => each.endsWith(".wasm")) : name;
    await changed(`element/${file}`, (bytes) => {
      bytes[bytes.length - 2] ^= 1;
    }, async () => {
      const { code, out } = await verify(`${shop.address}/${name === "element.js" ? "element" : "pay"}`);
      assert.equal(code, 1, out);
      assert.match(line(out, `/element/${file}`) ?? "", /^different .*sha384-/);
      assert.match(out, /1 of the element's files has other bytes than the release/);
    });
  });
}

test("a file that took the element's name is different, though nothing of the element is in it", async () => {
  const { code, out } = await verify(`${shop.address}/fake`);
  assert.equal(code, 1, out);
  assert.match(line(out, "/fake/payment-checkout.js") ?? "", /^different /);
});

test("a changed file is different with every status with which browsers run it", async () => {
  const { code, out } = await verify(`${shop.address}/altered`);
  assert.equal(code, 1, out);
  assert.match(line(out, "/altered/payment-checkout.js") ?? "", /^different /);
});

for (const how of ["quote", "comment", "template", "svg", "base", "map"]) {
  test(`a script that browsers run is not hidden by a ${how}`, async () => {
    const { code, out } = await verify(`${shop.address}/hidden-${how}`);
    assert.equal(code, 1, out);
    assert.match(line(out, "/fake/payment-checkout.js") ?? "", /^different /);
  });
}

test("another release on the server is named, and a file that is not there", async () => {
  const own = JSON.parse(await readFile(join(PACKAGE, "integrity.json"), "utf8"));
  const [texts] = Object.keys(own.files).filter((name) => name.includes("texts-pt"));
  const release = join(folder, "other-release.json");
  const files = { ...own.files, "element/payment-checkout.js": "sha384-AAAA", "element/gone.js": "sha384-BBBB" };
  await writeFile(release, JSON.stringify({ version: "9.9.9", files }));
  const { code, out } = await verify(`${shop.address}/pay`, "--release", release);
  assert.equal(code, 1, out);
  assert.match(line(out, "/element/payment-checkout.js") ?? "", new RegExp(`^different .*it says that it is of release ${own.version}`));
  assert.match(line(out, "/element/gone.js") ?? "", /^missing .*404/);
  assert.match(line(out, texts) ?? "", /^same /);
});

test("an element of another origin is compared, too, and what the page pins is said", async () => {
  const cdn = await serve(folder, { "/latest.js": { to: "/element/payment-checkout.js" } });
  const { files } = JSON.parse(await readFile(join(PACKAGE, "integrity.json"), "utf8"));
  const page = `<script type="module" crossorigin src="${cdn.address}/latest.js" integrity="${files["element/payment-checkout.js"]}"></script>`;
  const pages = await serve(folder, { "/": page });
  const { code, out } = await verify(pages.address);
  cdn.stop();
  pages.stop();
  assert.equal(code, 0, out);
  assert.match(line(out, `${cdn.address}/element/payment-checkout.js`) ?? "", /^same .*pinned by the page/);
  assert.match(line(out, `${cdn.address}/element/messages.js`) ?? "", /^same /);
});

test("an element inside of the shop's own bundle is said to be bundled, and its wasm is compared", async () => {
  const built = join(folder, "built");
  await build({
    stdin: { contents: "import 'payment-checkout-element'", resolveDir: folder },
    alias: { "payment-checkout-element": join(PACKAGE, "element/payment-checkout.js") },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    outdir: built,
    entryNames: "app",
    chunkNames: "[name]-[hash]",
    logLevel: "error",
  });
  const wasm = (await readdir(join(PACKAGE, "element"))).find((name) => name.endsWith(".wasm"));
  await cp(join(PACKAGE, "element", wasm), join(built, wasm));
  const pages = await serve(built, { "/": '<script type="module" src="/app.js"></script>' });
  const { code, out } = await verify(pages.address);
  pages.stop();
  assert.equal(code, 2, out);
  assert.match(line(out, "/app.js") ?? "", /^bundled /);
  for (const name of ["texts-en", "texts-pt", "messages", "diagnostics", "save-and-print"]) {
    assert.match(line(out, `/${name}-`) ?? "", /^bundled .*a part of the element, by its name/, name);
  }
  assert.match(line(out, ".wasm") ?? "", /^same /);
  assert.match(out, /cannot be compared with a release/);
});

test("what cannot be said is no success", async () => {
  const none = await verify(`${shop.address}/none`);
  assert.equal(none.code, 2);
  assert.match(none.out, /No file of the element was found/);
  assert.match(none.out, /The page has frames/);
  const gone = await verify(`${shop.address}/gone`);
  assert.deepEqual([gone.code, gone.out], [2, ""]);
  assert.match(gone.err, /the server answers 404/);
  const closed = await serve(folder, {});
  closed.stop();
  assert.match((await verify(closed.address)).err, /ECONNREFUSED/);
  for (const [words, reason] of /** @type {[string[], RegExp][]} */ ([
    [[], /Name one page/],
    [["shop.example"], /is no address of a page/],
    [[shop.address, "--release", "1.2.3"], /release 1\.2\.3 .* whose file you hold/],
    [[shop.address, "--release", "gone.json"], /gone\.json cannot be read/],
    [[shop.address, "--header", "Cookie"], /'Name: value'/],
    [[shop.address, "--verbose"], /--verbose/],
  ])) {
    const { code, err } = await verify(...words);
    assert.equal(code, 2, err);
    assert.match(err, reason);
  }
});

test("a page that needs a session gets one, and a script that nothing names is named by hand", async () => {
  assert.match((await verify(`${shop.address}/session`)).err, /answers 403/);
  assert.equal((await verify(`${shop.address}/session`, "--header", "Cookie: session=1")).code, 0);
  assert.equal((await verify(`${shop.address}/none`, "--script", "/element/payment-checkout.js")).code, 0);
});

test("the inventory has a row for each script, and no formula", async () => {
  const { code, out } = await verify(`${shop.address}/pay`, "--inventory");
  assert.equal(code, 0);
  const [head, ...rows] = out.trimEnd().split("\r\n");
  assert.equal(head, CSV_HEAD);
  assert.ok(rows.every((row) => row.split('","').length === 6));
  const { files } = JSON.parse(await readFile(join(PACKAGE, "integrity.json"), "utf8"));
  const entry = rows.find((row) => row.includes("/element/payment-checkout.js"));
  assert.ok(entry.includes(files["element/payment-checkout.js"]));
  assert.match(entry, /"The checkout: registers its tag.*","The same bytes as payment-checkout-element .*"/);
  assert.match(rows.find((row) => row.includes("/shop.js")), /","","","sha384-.*","no","other"$/);
  const blank = rows.filter((row) => !/\/(shop|gone)\.js/.test(row) && row.split('","')[1] === "");
  assert.deepEqual(blank, []);
});

test("the import map pins every module of the element", async () => {
  const { code, out } = await verify("--import-map", "/static/element");
  assert.equal(code, 0);
  const pinned = await serve(folder, { "/": out.replaceAll("/static/", "/") + TAG });
  const report = await verify(pinned.address);
  pinned.stop();
  for (const name of ["payment-checkout.js", "texts-en.js"]) assert.match(line(report.out, `/element/${name}`) ?? "", /^same .*pinned by the page/);
  const [, map] = /<script type="importmap">(.*?)<\/script>/s.exec(out);
  const { imports, integrity } = JSON.parse(map);
  const { files } = JSON.parse(await readFile(join(PACKAGE, "integrity.json"), "utf8"));
  const modules = (await readdir(join(PACKAGE, "element"))).filter((name) => name.endsWith(".js"));
  assert.deepEqual(Object.keys(integrity).sort(), modules.map((name) => `/static/element/${name}`).sort());
  for (const name of modules) assert.equal(integrity[`/static/element/${name}`], files[`element/${name}`]);
  assert.equal(imports["payment-checkout-element"], "/static/element/payment-checkout.js");
  assert.ok(out.includes(`'sha256-${createHash("sha256").update(map).digest("base64")}'`), out);
  assert.match((await verify("--import-map", "element")).err, /write it as \/element/);
});
