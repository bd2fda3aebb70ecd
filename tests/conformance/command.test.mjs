// The command itself: what it says of wrong options, what it writes, and that it leaves the sandbox as it was.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "../engines/support/until.mjs";
import { freePort } from "../shops/support/program.mjs";
import { Server, conformance, freshOrder, play, startConformance, startSandbox } from "./support/servers.mjs";

const ROOT = join(import.meta.dirname, "../..");

let sandbox;
let server;
before(async () => {
  sandbox = await startSandbox("command");
  server = await Server.example(sandbox.address, "node", undefined, "command");
  await server.start();
});
after(async () => {
  await server.stop();
  await sandbox.program.stop();
});

const control = async (path) => (await fetch(`${sandbox.address}/sandbox/${path}`)).json();

test("a wrong option is named, with what to do", async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const line = (order) => `node -e 'console.log(${JSON.stringify(JSON.stringify(order))})'`;
  const order = `echo '${await freshOrder(server)}'`;
  const signedAnew = `node -e '
    const claims = Buffer.from(JSON.stringify({ order_id: "1001", iat: Date.now() })).toString("base64url");
    console.log(JSON.stringify({ request: { order: "x." + claims + ".y" }, amount: "1", currency: "PEN" }));'`;
  const [at, own, with_] = [server.base, ["--sandbox", sandbox.address], (order) => ["--order", order]];
  const cases = [
    [[], "Name the base address"],
    [["nowhere", ...own, ...with_("true")], "BASE has to be an address"],
    [[at, ...with_("true")], "--sandbox is missing"],
    [[at, ...own], "--order is missing"],
    [[at, ...own, ...with_("true"), "--only", "nothing"], "--only: there is no check nothing"],
    [[at, ...own, ...with_("true"), "--timeout", "never"], "--timeout has to be a number"],
    [[at, ...own, "--loud"], "Unknown option '--loud'; --help lists the options."],
    [[`${nobody}/api`, ...own, ...with_("true")], `${nobody}/api does not answer (ECONNREFUSED)`],
    [[at, "--sandbox", nobody, ...with_("true")], `--sandbox: ${nobody} does not answer`],
    [[at, "--sandbox", server.page, ...with_("true")], "Give the address of payment-sandbox"],
    [[at, ...own, ...with_("echo no order")], "it printed: no order"],
    [[at, ...own, ...with_(order), "--order-beyond", "echo no order", "--only", "beyond*"], "--order-beyond: the command has to print"],
    [[at, ...own, ...with_("echo why not >&2; exit 3")], "--order: the command ended with 3: why not"],
    [[at, ...own, ...with_("node nothing.mjs")], "--order: the command ended with 1: Error: Cannot find module"],
    [[at, ...own, ...with_(order)], "--order: the command printed an order twice"],
    [[at, ...own, ...with_(signedAnew), "--only", "key*", "--only", "two*"], "each check takes a fresh one: order_id 1001"],
    [[server.page, ...own, ...with_(order)], `: ${server.page}charges answers a fresh order with 404 not-found`],
    [[at, ...own, ...with_(server.order), "--methods", "QR CARD"], "It answers a start by CARD with 422 method-not-offered"],
    [[at, ...own, ...with_(server.order)], "SANDBOX_TOKEN: the sandbox refuses this access token (401)", "wrong"],
    [[at, ...own, ...with_(line({ request: {}, amount: 1.5, currency: "PEN" }))], "--order: the member amount"],
    [[at, ...own, ...with_(line({ amount: "1", currency: "PEN" }))], "--order: the member request"],
  ];
  for (const [words, expected, token] of cases) {
    const { code, refused } = await conformance(words, { ...server.env, ...(token && { SANDBOX_TOKEN: token }) });
    assert.equal(code, 2, `${words}: ${refused}`);
    assert.ok(refused.includes(expected), refused);
    assert.equal(refused.trim().split("\n").length, 1, refused);
  }
});

test("the results are written for other programs", async () => {
  const junit = join(process.env.RESULTS ?? "", "command.xml");
  const only = ["--only", "start", "--only", "return-token*", "--junit", junit];
  const { code, results, printed } = await play(server, sandbox.address, only);
  assert.equal(code, 0, printed);
  const seen = results.map(({ name, level, outcome }) => [name, level, outcome]);
  const expected = [
    ["start", "must", "passed"],
    ["return-token", "may", "failed"],
    ["return-token-only-reads", "must", "skipped"],
  ];
  assert.deepEqual(seen, expected);
  assert.match(printed, /^must: 1 passed, 0 failed, 1 skipped; may: 0 passed, 1 not met, 0 skipped$/m);
  const xml = await readFile(junit, "utf8");
  assert.match(xml, /tests="3" failures="0" skipped="2"/);
  assert.equal(xml.match(/<testcase /g).length, 3);
});

test("a server that cannot start a payment fails, and nothing else is played", async () => {
  const closed = createServer((_, response) => response.writeHead(403).end()).listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (closed.address());
  const base = `http://127.0.0.1:${port}`;
  const { code, results, printed } = await play({ ...server, base, name: "closed" }, sandbox.address);
  closed.close();
  assert.equal(code, 1, printed);
  assert.deepEqual([results[0].outcome, results[0].seen], ["failed", "403 without a body"]);
  assert.ok(results.slice(1).every(({ reason }) => reason === "start failed"));
  assert.match(printed, new RegExp(`^${results.length - 1} checks were skipped, since no start works$`, "m"));
  assert.match(printed, /^docs\/ is the folder .*\/docs$/m);
  assert.equal(printed.trim().split("\n").length, 7, printed);
});

test("a server behind another sandbox fails, with a summary", async () => {
  const other = await startSandbox("other");
  const { code, failed, printed, refused } = await play(server, other.address, ["--only", "amount-of-the-order", "--only", "cancel*", "--timeout", "1"]);
  await other.program.stop();
  assert.deepEqual([code, refused], [1, ""], printed);
  assert.equal(failed.length, 9);
  assert.match(printed, /^must: 0 passed, 9 failed, 0 skipped/m);
});

test("a restart that is none is no success", async () => {
  const { results, printed } = await play(server, sandbox.address, ["--only", "same-key-after-restart", "--restart", "true"]);
  const [{ outcome, reason }] = results;
  assert.equal(outcome, "skipped", printed);
  assert.match(reason, /outlived --restart/);
});

test("an interrupted run leaves the sandbox as it was", async () => {
  const change = (path, body) => fetch(`${sandbox.address}/sandbox/${path}`, { method: "PUT", body: JSON.stringify(body) });
  await change("clock", { offset_s: 600 });
  await change("settings", { qr_expires_in_s: 777 });
  const settings = await control("settings");
  const words = [server.base, "--sandbox", sandbox.address, "--order", server.order, "--only", "service-clock-ahead"];
  const run = startConformance(words, server.env);
  const ended = once(run, "exit");
  await until("the run to turn the clock", async () => (await control("clock")).unix_time - Date.now() / 1000 > 3_600);
  run.kill("SIGINT");
  assert.deepEqual(await ended, [130, null]);
  const ahead = (await control("clock")).unix_time - Date.now() / 1000;
  assert.ok(Math.abs(ahead - 600) < 5, `${ahead}`);
  assert.deepEqual(await control("settings"), settings);
  assert.deepEqual(await control("faults"), { left: [] });
  await change("clock", { offset_s: 0 });
});

test("the guide has the checks of --list", async () => {
  const { printed } = await conformance(["--list"]);
  const listed = printed.trim().split("\n").map((line) => line.split("  "));
  const guide = await readFile(join(ROOT, "docs/conformance.md"), "utf8");
  const rows = guide.split("\n").filter((line) => /^\| `[\w-]+` \| (must|may) \|/.test(line));
  const expected = listed.map(([level, name, why, where]) => `| \`${name}\` | ${level} | ${why} | ${link(where)} |`);
  assert.deepEqual(rows, expected);
  for (const level of ["must", "may"]) {
    const [counts] = guide.match(new RegExp(`${level}: \\d+ passed, \\d+ (failed|not met), \\d+ skipped`));
    const sum = counts.match(/\d+/g).reduce((all, count) => all + Number(count), 0);
    assert.equal(sum, listed.filter(([each]) => each === level).length, counts);
  }
});

test("the guide has every option, and prints the command for signed orders as it is tested", async () => {
  const guide = await readFile(join(ROOT, "docs/conformance.md"), "utf8");
  const { printed } = await conformance(["--help"]);
  for (const [option] of printed.matchAll(/--[a-z-]+|SANDBOX_TOKEN/g)) assert.match(guide, new RegExp(`^\\|.*\`${option}`, "m"));
  const order = await readFile(join(import.meta.dirname, "support/order.mjs"), "utf8");
  assert.ok(guide.includes(order.slice(order.indexOf("import"))));
});

test("every check names a place of the guides that is there", async () => {
  const { printed } = await conformance(["--list"]);
  for (const line of printed.trim().split("\n")) {
    const [file, anchor] = line.split("  ").at(-1).split("#");
    const text = await readFile(join(ROOT, file), "utf8");
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, words]) => anchorOf(words));
    assert.ok(!anchor || headings.includes(anchor), line);
  }
});

/** The anchor that a heading has. */
const anchorOf = (words) =>
  words
    .toLowerCase()
    .replaceAll(/[^a-z\d -]/g, "")
    .replaceAll(" ", "-");

/** The place in a guide, as the guide beside it links it. */
const link = (where) => {
  const place = where.replace("docs/", "");
  return `[${place.split("#")[0]}](${place})`;
};
