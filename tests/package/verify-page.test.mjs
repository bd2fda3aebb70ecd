// `payment-checkout-element verify` against pages that serve the release and change what browsers make of it: by import maps, by
// hashes, by code that stands in the page.
//
// `cargo xtask test --only consumers` packs it first.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PACKAGE, TAG, line, nodeVerify, serve, verify } from "./shop.mjs";

/** @type {{ files: Record<string, string> }} */
const { files } = JSON.parse(await readFile(join(PACKAGE, "integrity.json"), "utf8"));
const RIGHT = files["element/payment-checkout.js"];
const WRONG = `sha384-${"A".repeat(64)}`;
const RIGHT_256 = `sha256-${createHash("sha256").update(await readFile(join(PACKAGE, "element/payment-checkout.js"))).digest("base64")}`;
const EVIL = "fetch('https://elsewhere.example')";

const map = (/** @type {unknown} */ content) => `<script type="importmap">${JSON.stringify(content)}</script>`;
const imports = (/** @type {string} */ name, /** @type {string | null} */ target) => map({ imports: { [name]: target } });

/** @type {import("./shop.mjs").Pages} */
const pages = { "/evil/t.js": EVIL, "/evil/texts-en.js": EVIL, "/shop.js": "import '/element/payment-checkout.js'" };

/** The policy of a page with a map without rules. */
const PERMITS = `sha256-${createHash("sha256").update("{}").digest("base64")}`;

/** Pages that must not be called the release's: what they have before the element, what is said, and of which file. */
/** @type {Record<string, [before: string, said: RegExp, file: string, tag?: string]>} */
const FAULTS = {
  "a map with a wrong hash": [map({ integrity: { "/element/texts-en.js": WRONG } }), /^refused .*the import map demands sha384-AAAA/, "/texts-en.js"],
  "a map with a wrong hash at a base": [`<base href="/element/">${map({ integrity: { "./texts-en.js": WRONG } })}`, /^refused /, "/texts-en.js"],
  "a second map with a wrong hash": [map({ integrity: {} }) + map({ integrity: { "/element/texts-en.js": WRONG } }), /^refused /, "/texts-en.js"],
  "a tag with a wrong hash": ["", /^refused .*the tag demands sha384-AAAA/, "/payment-checkout.js", TAG.replace(" src", ` integrity="${WRONG}" src`)],
  "a modulepreload with a wrong hash": [`<link rel=modulepreload href=/element/texts-en.js integrity=${WRONG}>`, /^refused /, "/texts-en.js"],
  "a weak hash beside a strong one that is wrong": ["", /^refused /, "/payment-checkout.js", TAG.replace(" src", ` integrity="${RIGHT_256} ${WRONG}" src`)],
  "a map that is no JSON": ['<script type="importmap">{"imports": {},}</script>', /^broken .*it is no JSON/, "import map 1"],
  "a map that is a list": [map([]), /^broken .*it is no JSON object/, "import map 1"],
  "a map with a list of names": [map({ imports: [] }), /^broken .*"imports"/, "import map 1"],
  "a map with a scope that is a text": [map({ scopes: { "/": "/evil/" } }), /^broken .*scope "\/"/, "import map 1"],
  "a map that the page's policy does not permit": [`<meta http-equiv=content-security-policy content="script-src 'self' 'unsafe-inline' 'sha256-AAAA'">${map({})}`, /^broken .*script-src/, "import map 1"],
  "a map in a file": ['<script type="importmap" src="/map.json"></script>', /^broken .*from a file/, "import map 1"],
  "a map that leads a text elsewhere": [imports("/element/texts-en.js", "/evil/t.js"), /^different .*element\/texts-en.js.*leads/, "/evil/t.js"],
  "a scope that does": [map({ scopes: { "/element/": { "/element/texts-en.js": "/evil/t.js" } } }), /^different /, "/evil/t.js"],
  "a map of a folder": [imports("/element/", "/evil/"), /^different .*element\/texts-en.js/, "/evil/texts-en.js"],
  "a relative name in a map": [imports("./element/texts-en.js", "./evil/t.js"), /^different /, "/evil/t.js"],
  "a map into an address that is a script": [imports("/element/texts-en.js", "data:text/javascript,alert(1)"), /^different /, "data:text"],
  "a map to another file of the release": [imports("/element/texts-en.js", "/element/texts-pt.js"), /^different .*texts-en.js/, "/texts-pt.js"],
  "a map to nothing": [imports("/element/texts-en.js", "/gone.js"), /^missing .*404/, "/gone.js"],
  "a map that blocks": [imports("/element/texts-en.js", null), /^refused .*blocks it/, "/texts-en.js"],
  "a map to a name that is no address": [imports("/element/texts-en.js", "element/texts-en.js"), /^refused .*blocks it/, "/texts-en.js"],
  "a map of a folder to a file": [imports("/element/", "/copy"), /^refused .*blocks it/, "/texts-en.js"],
  "a map of the element's script": [imports("/element/payment-checkout.js", "/evil/t.js"), /^different /, "/evil/t.js", '<script type=module src="/shop.js"></script>'],
  "a map of the package's name": [imports("payment-checkout-element", "/evil/t.js"), /^different .*leads payment-checkout-element here/, "/evil/t.js"],
  "a script behind references to characters": ["", /^different /, "/evil/payment-checkout.js", `${TAG}<script src="&#47;evi&#x6c;&sol;payment-checkout.js">`],
  "a script without the type of one": ["", /^refused .*text\/plain/, "/plain/payment-checkout.js", '<script type=module src="/plain/payment-checkout.js"></script>'],
};

/** Pages that are the release's, and what else is said. */
/** @type {Record<string, [before: string, said: RegExp, tag?: string]>} */
const GOOD = {
  "a map of other names": [imports("shop", "/evil/t.js") + imports("/shop/", "/evil/"), /other +\/evil\/t\.js/],
  "a map to the same bytes": [imports("/element/texts-en.js", "/copy/texts-en.js"), /same +\/copy\/texts-en\.js {2}\(element\/texts-en\.js\)/],
  "a map in which the longer name counts": [map({ imports: { "/": "/evil/", "/element/": "/element/" } }), /same +\/element\/texts-en\.js/],
  "a map with the right hash": [map({ integrity: { "/element/payment-checkout.js": RIGHT } }), /payment-checkout\.js, pinned by the page\)/],
  "a strong hash beside a weak one that is wrong": ["", /pinned by the page/, TAG.replace(" src", ` integrity="sha256-AAAA ${RIGHT}" src`)],
  "a hash that no browser knows": ["", /\(element\/payment-checkout\.js\)\n/, TAG.replace(" src", ' integrity="md5-AAAA" src')],
  "a preload with a wrong hash, which browsers do not use": [`<link rel=preload as=fetch href=/element/style.css integrity=${WRONG}>`, /same +\/element\/style/],
  "a map after a module": [TAG + map({ integrity: { "/element/payment-checkout.js": RIGHT } }), /\(element\/payment-checkout\.js\)\n[\s\S]*comes after a module/],
  "two maps": [map({}) + map({ integrity: { "/element/payment-checkout.js": RIGHT } }), /\(element\/payment-checkout\.js\)\n[\s\S]*more than one import map/],
  "a map that the page's policy permits": [`<meta http-equiv=content-security-policy content="default-src 'none'; script-src 'self' '${PERMITS}'">${map({})}`, /inline +import map 1/],
  "a map that a nonce permits": [`<meta http-equiv=content-security-policy content="script-src 'nonce-1a'">${map({}).replace(" type", " nonce=1a type")}`, /inline +import map 1/],
  "a page with an object": ["<object data=/none></object>", /The page has frames/],
};

/** @type {Awaited<ReturnType<typeof serve>>} */
let shop;

before(async () => {
  pages["/copy/texts-en.js"] = await readFile(join(PACKAGE, "element/texts-en.js"), "utf8");
  pages["/plain/payment-checkout.js"] = { type: "text/plain", body: await readFile(join(PACKAGE, "element/payment-checkout.js")) };
  pages["/evil/payment-checkout.js"] = EVIL;
  for (const [what, [head, , , tag]] of Object.entries(FAULTS)) pages[addressOf(what)] = `<!doctype html>${head}${tag ?? TAG}`;
  for (const [what, [head, , tag]] of Object.entries(GOOD)) pages[addressOf(what)] = `<!doctype html>${head}${tag ?? TAG}`;
  shop = await serve(PACKAGE, pages);
});
after(() => shop.stop());

const addressOf = (/** @type {string} */ what) => `/${what.replace(/\W+/g, "-")}`;

for (const [what, [, said, file]] of Object.entries(FAULTS)) {
  test(`${what} is no all-clear`, async () => {
    const { code, out, err } = await verify(shop.address + addressOf(what));
    assert.equal(code, 1, out + err);
    assert.match(out.split("\n").filter((each) => each.includes(file)).map((each) => each.trim()).find((each) => said.test(each)) ?? out, said);
    assert.doesNotMatch(out, /Every file of the element is the release's/);
  });
}

for (const [what, [, said]] of Object.entries(GOOD)) {
  test(`${what}: the element is the release's`, async () => {
    const { code, out } = await verify(shop.address + addressOf(what));
    assert.equal(code, 0, out);
    assert.match(out, said);
    assert.match(out, /no service worker that a browser keeps/);
  });
}

test("code that stands in the page is listed, with the hash by which a policy permits it", async () => {
  const script = "\r\nlet a = 1 < 2;\r\n";
  const data = "data:text/javascript,go()";
  const body =
    `<script>${script}</script><script type="application/ld+json">{}</script><script src="${data}"></script>${map({})}` +
    '<img alt=">" onerror=go()><a href=" java\nscript:go()">x</a>';
  const inline = await serve(PACKAGE, { "/": TAG + body });
  const [{ code, out }, list] = [await verify(inline.address), await verify(inline.address, "--inventory")];
  inline.stop();
  const hash = `sha256-${createHash("sha256").update("\nlet a = 1 < 2;\n").digest("base64")}`;
  assert.equal(code, 0, out);
  assert.equal(line(out, "  script 1"), `inline     script 1  (${hash})`);
  assert.doesNotMatch(out, /script 2/);
  assert.match(line(out, "import map 1") ?? "", /^inline .*sha256-/);
  assert.match(line(out, data) ?? "", /^other /);
  assert.match(out, /inline +2 attributes with code, such as onclick/);
  assert.match(out, /\n2 other scripts and 2 attributes with code of the page can do whatever the page can/);
  const row = (/** @type {string} */ text) => list.out.split("\r\n").find((each) => each.includes(text));
  assert.equal(row("(inline script 1)"), `"${inline.address}/ (inline script 1)","","","${hash}","no","inline"`);
  assert.match(row("(inline import map 1)"), /"Says where modules are/);
  assert.match(row(data), /"","","sha384-.*","no","other"$/);
  assert.match(row("(attributes with code: 2)"), /"inline"$/);
});

test("a policy in the headers of a page counts, too", async () => {
  const policy = `script-src 'self', script-src 'self' '${PERMITS}'`;
  const strict = await serve(PACKAGE, { "/": { type: "text/html", body: map({}) + TAG, policy } });
  const { code, out } = await verify(strict.address);
  strict.stop();
  assert.equal(code, 1, out);
  assert.match(line(out, "import map 1") ?? "", /^broken .*the script-src of the page's policy does not have this hash/);
});

test("a bundle to which an import map leads is said to be one, and who leads there", async () => {
  const copy = `${await readFile(join(PACKAGE, "element/payment-checkout.js"), "utf8")}//`;
  const led = await serve(PACKAGE, { "/": imports("payment-checkout-element", "/own/all.js") + TAG, "/own/all.js": copy });
  const { code, out } = await verify(led.address);
  led.stop();
  assert.equal(code, 2, out);
  assert.match(line(out, "/own/all.js") ?? "", /^bundled .*an import map leads payment-checkout-element here/);
});

test("a page in UTF-16 is read as browsers read it", async () => {
  const body = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<script type=module src="/evil/payment-checkout.js"></script>', "utf16le")]);
  const wide = await serve(PACKAGE, { "/": { type: "text/html", body }, "/evil/payment-checkout.js": EVIL });
  const { code, out } = await verify(wide.address);
  wide.stop();
  assert.equal(code, 1, out);
});

test("a header goes to the origin of the page and to no other", async () => {
  const elsewhere = await serve(PACKAGE, { "/": TAG });
  const own = await serve(PACKAGE, { "/": { to: `${elsewhere.address}/` } });
  const { code, out } = await verify(own.address, "--header", "X-Secret: 1");
  elsewhere.stop();
  own.stop();
  assert.equal(code, 0, out);
  assert.deepEqual(own.asked.map((headers) => headers["x-secret"]), ["1"]);
  assert.ok(elsewhere.asked.length > 1 && elsewhere.asked.every((headers) => !("x-secret" in headers)));
  assert.ok(out.includes(`--header was sent to ${own.address} only. If the page needs it, name ${elsewhere.address}/.`), out);
});

test("redirects end", async () => {
  const loop = await serve(PACKAGE, { "/": { to: "/" } });
  const { code, err } = await verify(loop.address);
  loop.stop();
  assert.equal(code, 2);
  assert.match(err, /redirects more than 20 times/);
});

for (const type of ["application/wasm", "text/javascript", "text/plain", "application/json"]) {
  test(`${type} is no page`, async () => {
    const plain = await serve(PACKAGE, { "/": { type, body: TAG } });
    const { code, out, err } = await verify(plain.address);
    plain.stop();
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, new RegExp(`is no HTML page: it comes as ${type}`));
  });
}

test("a page by http is said to be one, except on this machine", async () => {
  const lookup = "import dns from 'node:dns'; const own = dns.lookup; dns.lookup = (host, ...rest) => own(host === 'shop.test' ? '127.0.0.1' : host, ...rest);";
  const plain = await serve(PACKAGE, { "/": TAG });
  const far = await nodeVerify(["--import", `data:text/javascript,${encodeURIComponent(lookup)}`], plain.address.replace("127.0.0.1", "shop.test"));
  const near = await verify(plain.address);
  plain.stop();
  assert.match(far.out, /The page comes by http: whoever is between/);
  assert.doesNotMatch(near.out, /by http:/);
  assert.deepEqual([far.code, near.code], [0, 0]);
});

test("nothing of a page reaches the terminal but text on the line that is about it", async () => {
  const clear = "\u001b[2J\u009b1;1H\r\nEvery file of the element is the release's.\u202e\b";
  const hostile = await serve(PACKAGE, {
    "/": `${TAG}<script src="/evil/payment-checkout.js"></script><script src="/element/messages.js" integrity="sha384-A ${clear}"></script>`,
    "/evil/payment-checkout.js": `static version="${clear}"`,
  });
  for (const options of [[], ["--inventory"]]) {
    const { code, out } = await verify(hostile.address, ...options);
    assert.equal(code, 1, out);
    assert.doesNotMatch(out.replaceAll(/\r?\n/g, ""), /[\p{Cc}\p{Cf}\u2028\u2029]/u);
    assert.ok(!out.split(/\r?\n/).some((each) => each.startsWith("Every file")), out);
  }
  hostile.stop();
});

/** Pages of which a reader that looks at each part anew never comes to an end. */
for (const [what, part] of [
  ["scripts within scripts", "<script>"],
  ["tags within tags", "<a "],
  ["tags with endless names", "<a"],
  ["scripts of many addresses", "<script src=a></script><base href=/b>"],
]) {
  test(`a page of ${what} is refused within seconds, or read`, { timeout: 20_000 }, async () => {
    let count = 0;
    const body = part.repeat(480_000 / part.length).replaceAll(/=a|\/b/g, (each) => `${each}${(count += 1)}`);
    const long = await serve(PACKAGE, { "/": body });
    const { code, out, err } = await verify(long.address);
    long.stop();
    assert.equal(code, 2, out);
    assert.match(out + err, /more than this command looks at|No file of the element was found/);
  });
}

test("a script whose text never ends a name is read within seconds", { timeout: 20_000 }, async () => {
  const texts = [`import${" ".repeat(400_000)}`, `"${".wasm?".repeat(80_000)}`, "payment-checkout-".repeat(30_000)];
  const long = await serve(PACKAGE, {
    "/": TAG + texts.map((_, at) => `<script src="/${at}.js"></script>`).join(""),
    ...Object.fromEntries(texts.map((text, at) => [`/${at}.js`, text])),
  });
  const { code, out } = await verify(long.address);
  long.stop();
  assert.equal(code, 0, out);
});

test("a file of more than 20 MB is not read to its end, and nothing is said of the page", async () => {
  const body = Buffer.alloc(20_000_001, " ");
  const large = await serve(PACKAGE, { "/": `${TAG}<script src="/large.js"></script>`, "/large.js": { type: "text/javascript", body } });
  const { code, out, err } = await verify(large.address);
  large.stop();
  assert.deepEqual([code, out], [2, ""]);
  assert.match(err, /\/large\.js is larger than 20 MB, which is more than this command looks at/);
});
