// The sandbox as npm installs it: the package of this machine's kind has the program, and the other one starts it.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort } from "./support/program.mjs";

const PACK = fileURLToPath(new URL("../../npm/sandbox/pack.mjs", import.meta.url));
const PACKAGE = "payment-checkout-sandbox";
const VERSION = "1.2.3";
const OWNERS = JSON.parse(readFileSync(new URL("../../crates/build/xtask/names.json", import.meta.url), "utf8")).npm;

/**
 * Installs packed packages into an empty folder. The registry is a server of the test: with `--offline` npm would pass over
 * an optional dependency in silence.
 */
async function installed(folder, place, names) {
  const root = join(folder, place);
  mkdirSync(root);
  // Without a manifest npm would install into the workspace above.
  writeFileSync(join(root, "package.json"), "{}");
  const files = names.map((name) => join(folder, `${name}-${VERSION}.tgz`));
  const asked = [];
  const registry = createServer(({ url }, answer) => {
    asked.push(url?.slice(1) ?? "");
    answer.writeHead(404).end();
  });
  await once(registry.listen(0, "127.0.0.1"), "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (registry.address());
  const words = ["install", "--silent", "--no-audit", "--no-update-notifier", "--registry", `http://127.0.0.1:${port}`, "--cache", join(folder, "cache")];
  const npm = spawn("npm", [...words, ...files], { cwd: root, stdio: "inherit" });
  const [code] = await once(npm, "exit");
  registry.close();
  assert.equal(code, 0);
  const strange = asked.filter((name) => OWNERS[name] !== "ours");
  assert.deepEqual(strange, [], "npm asked a registry for a name that is not ours");
  return join(root, "node_modules", PACKAGE, "start.mjs");
}

test("the package starts the program of this machine, and ends with it", async (context) => {
  const folder = join(process.env.RESULTS ?? "", "sandbox-package");
  rmSync(folder, { recursive: true, force: true });
  const program = join(folder, "built", "payment-sandbox");
  mkdirSync(dirname(program), { recursive: true });
  copyFileSync(join(process.env.PROGRAMS ?? "", "payment-sandbox"), program);
  writeFileSync(join(dirname(program), "THIRD-PARTY-LICENSES.txt"), "licences");
  execFileSync("node", [PACK, program, VERSION, folder], { stdio: "ignore" });
  const start = await installed(folder, "both", [PACKAGE, `${PACKAGE}-${process.platform}-${process.arch}`]);
  const port = await freePort();
  const starter = spawn("node", [start, "--listen", `127.0.0.1:${port}`], { stdio: ["ignore", "pipe", "inherit"] });
  context.after(() => starter.kill("SIGKILL"));
  let said = "";
  for await (const chunk of starter.stdout) {
    said += chunk;
    if (said.includes("payment-sandbox is listening")) break;
  }
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
  assert.equal(answer.status, 200);
  starter.kill("SIGTERM");
  const [code] = await once(starter, "exit");
  assert.equal(code, 0);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`), "the program has ended, too");
});

test("a machine without a program reads which package is missing", async () => {
  const folder = join(process.env.RESULTS ?? "", "sandbox-package");
  const start = await installed(folder, "alone", [PACKAGE]);
  const { status, stderr } = spawnSync("node", [start], { encoding: "utf8" });
  assert.equal(status, 1);
  assert.ok(stderr.includes(`${PACKAGE}-${process.platform}-${process.arch} is missing`), stderr);
});

test("npm refuses to publish a package whose name is not ours", () => {
  const folder = join(process.env.RESULTS ?? "", "sandbox-package");
  for (const name of [PACKAGE, `${PACKAGE}-${process.platform}-${process.arch}`]) {
    const manifest = execFileSync("tar", ["-xzOf", join(folder, `${name}-${VERSION}.tgz`), "package/package.json"], { encoding: "utf8" });
    assert.equal(JSON.parse(manifest).private, OWNERS[name] === "ours" ? undefined : true);
  }
});
