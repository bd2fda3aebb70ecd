// Lets each engine that is there play its stories, one engine after the other: a browser that starts wants a whole small
// machine. `node run.mjs [--long] [--every]`, as `cargo xtask test --only engines` does. The old Chromiums, which npm
// delivers compressed, are unpacked once into the folder UNPACKED. CHROME names a new one.

import { execFileSync, spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync } from "node:fs";
import { rename } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";

const here = fileURLToPath(new URL(".", import.meta.url));
const unpacked = process.env.UNPACKED ?? join(here, "../../target/engines");

/** Finds a program of Debian's. */
function installed(program, packages) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.map((folder) => join(folder, program)).find(existsSync);
  if (!found) throw new Error(`install it (Debian: \`apt-get install ${packages}\`)`);
  return found;
}

/** Unpacks an old Chromium unless that is done. */
async function old(name, compressed) {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error("its builds are for Linux on x86-64 only");
  const program = join(unpacked, name, "chromium");
  if (!existsSync(program)) {
    mkdirSync(dirname(program), { recursive: true });
    // Under another name until it is whole, since somebody may stop this.
    const unfinished = `${program}.${process.pid}`;
    await pipeline(
      createReadStream(join(here, "../../node_modules", compressed)),
      createBrotliDecompress(),
      createWriteStream(unfinished, { mode: 0o755 }),
    );
    await rename(unfinished, program);
  }
  const libraries = execFileSync("ldd", [program], { encoding: "utf8" }).split("\n");
  const missing = libraries.filter((line) => line.endsWith("not found")).map((line) => line.trim().split(" ")[0]);
  if (missing.length > 0) throw new Error(`these libraries are missing, which Debian's Chromium needs too: ${missing.join(" ")}`);
  return program;
}

/** The engines by the names of `support/engine.mjs`. One is too old to run the wasm; the last one has no driver. */
const ENGINES = {
  firefox: () => installed("firefox-esr", "firefox-esr"),
  webkit: () => installed("Xvfb", "xvfb") && installed("WebKitWebDriver", "webkit2gtk-driver"),
  "chromium-103": () => old("chromium-103", "@sparticuz/chromium/bin/chromium.br"),
  "chromium-92": () => old("chromium-92", "chrome-aws-lambda/bin/chromium.br"),
  chromium: () => process.env.CHROME ?? installed("chromium", "chromium"),
};

const isLong = process.argv.includes("--long");

/** The stories of an engine. */
function stories(name) {
  // In it the end-to-end tests play all others.
  if (name === "chromium") return ["prerendering/stories.test.mjs"];
  const long = readdirSync(join(here, "long")).map((file) => join("long", file));
  return ["short.test.mjs", ...(isLong && name !== "chromium-92" ? long : [])];
}

for (const [name, find] of Object.entries(ENGINES)) {
  let program;
  try {
    program = await find();
  } catch (error) {
    const reason = `${name}: ${error instanceof Error ? error.message : error}`;
    if (process.argv.includes("--every")) {
      console.log(`not ok 1 - ${reason}\n# fail 1`);
      process.exitCode = 1;
    } else console.log(`engines: NOT TESTED: ${reason}`);
    continue;
  }
  const files = stories(name).map((file) => join(here, file));
  const start = Date.now();
  const { status } = spawnSync(
    process.execPath,
    // Otherwise an engine that no longer answers would keep the run alive after its last test.
    ["--test", "--test-force-exit", "--test-reporter", "tap", "--test-concurrency", "1", ...files],
    { stdio: "inherit", env: { ...process.env, ENGINE: name, ENGINE_PROGRAM: program, LONG: isLong ? "1" : "" } },
  );
  if (status !== 0) process.exitCode = 1;
  console.log(`engines: ${name} took ${Math.round((Date.now() - start) / 1000)} s`);
}
