// Lets a real screen reader read the stories: Orca and Firefox, on a screen in memory. `node run.mjs`, as
// `cargo xtask test --only screen-reader` does.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

/** What is needed, with Debian's packages that have it. */
const NEEDED = {
  orca: "orca",
  "speech-dispatcher": "speech-dispatcher",
  "espeak-ng": "espeak-ng speech-dispatcher-espeak-ng",
  pulseaudio: "pulseaudio",
  pactl: "pulseaudio-utils",
  Xvfb: "xvfb",
  xdotool: "xdotool",
  openbox: "openbox",
  "dbus-daemon": "dbus-x11",
  gsettings: "libglib2.0-bin",
  "firefox-esr": "firefox-esr",
  "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
};

const folders = (process.env.PATH ?? "").split(delimiter);
const isThere = (program) => existsSync(program) || folders.some((folder) => existsSync(`${folder}/${program}`));
const packages = Object.keys(NEEDED).filter((program) => !isThere(program)).map((program) => NEEDED[program]);
const advice = [];
if (packages.length > 0) advice.push(`apt-get install --no-install-recommends ${packages.join(" ")}`);
const locales = execFileSync("locale", ["-a"], { encoding: "utf8" });
for (const locale of ["es_PE", "en_US"]) {
  if (!new RegExp(`^${locale}\\.utf-?8$`, "im").test(locales)) {
    advice.push(`apt-get install locales && echo '${locale}.UTF-8 UTF-8' >> /etc/locale.gen && locale-gen`);
  }
}
if (advice.length > 0) {
  console.log(`screen-reader: NOT TESTED: something is missing (Debian: \`${advice.join(" && ")}\`)`);
  process.exit();
}
const stories = fileURLToPath(new URL("./stories.test.mjs", import.meta.url));
const { status } = spawnSync(process.execPath, ["--test", "--test-reporter", "tap", ...process.argv.slice(2), stories], { stdio: "inherit" });
process.exitCode = status ?? 1;
