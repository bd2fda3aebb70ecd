// The sandbox as npm installs it: the package of this machine's kind has the program, and the other one starts it.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort } from "./support/program.mjs";

const PACK = fileURLToPath(new URL("../../npm-sandbox/pack.mjs", import.meta.url));
const PACKAGE = "payment-checkout-sandbox";
const VERSION = "1.2.3";

/** Installs packed packages as npm does, without a registry. */
function installed(folder, names) {
  const root = join(folder, "node_modules");
  for (const name of names) {
    const place = join(root, name);
    mkdirSync(place, { recursive: true });
    execFileSync("tar", ["-xzf", join(folder, `${name}-${VERSION}.tgz`), "-C", place, "--strip-components=1"]);
  }
  return join(root, PACKAGE, "start.mjs");
}

test("the package starts the program of this machine, and ends with it", async (context) => {
  const folder = join(process.env.RESULTS ?? "", "sandbox-package");
  rmSync(folder, { recursive: true, force: true });
  const program = join(folder, "built", "payment-sandbox");
  mkdirSync(dirname(program), { recursive: true });
  copyFileSync(join(process.env.PROGRAMS ?? "", "payment-sandbox"), program);
  writeFileSync(join(dirname(program), "THIRD-PARTY-LICENSES.txt"), "licences");
  execFileSync("node", [PACK, program, VERSION, folder], { stdio: "ignore" });
  const start = installed(folder, [PACKAGE, `${PACKAGE}-${process.platform}-${process.arch}`]);
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

test("a machine without a program reads which package is missing", () => {
  const folder = join(process.env.RESULTS ?? "", "sandbox-package");
  const start = installed(folder, [PACKAGE]);
  rmSync(join(folder, "node_modules", `${PACKAGE}-${process.platform}-${process.arch}`), { recursive: true, force: true });
  const { status, stderr } = spawnSync("node", [start], { encoding: "utf8" });
  assert.equal(status, 1);
  assert.ok(stderr.includes(`${PACKAGE}-${process.platform}-${process.arch} is missing`), stderr);
});
