// A virtual desktop with a screen reader: a virtual screen, a session bus, a null sound card, a speech server and Orca.
// The sound card runs in real time. Otherwise every utterance would end at once, and no interruption could be observed.

import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualScreen } from "../../engines/support/virtual-screen.mjs";
import { until } from "../../engines/support/until.mjs";
import { Voice } from "./voice.mjs";

const ACCESSIBLE = {
  GNOME_ACCESSIBILITY: "1",
  GTK_MODULES: "gail:atk-bridge",
  GSETTINGS_BACKEND: "keyfile",
};

/** Everything that Firefox needs around it to be heard. */
export class Desktop {
  /** @type {import("node:child_process").ChildProcess[]} */
  #programs = [];
  #screen;
  voice;
  environment;

  constructor(screen, folder, environment) {
    this.#screen = screen;
    this.environment = environment;
    this.voice = new Voice(join(folder, "speech-dispatcher.log"));
  }

  /** @param {string} locale such as es_PE.UTF-8 @param {string} results for the logs */
  static async start(locale, results) {
    // Sockets need a short path.
    const home = await mkdtemp(join(tmpdir(), "reader-"));
    // The speech server appends to its log: an earlier run would be read as this one.
    await rm(results, { recursive: true, force: true });
    await mkdir(results, { recursive: true });
    const screen = await VirtualScreen.start(1280, 1000);
    const desktop = new Desktop(screen, results, {
      ...process.env,
      ...ACCESSIBLE,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      XDG_CONFIG_HOME: join(home, "config"),
      XDG_DATA_HOME: join(home, "data"),
      XDG_CACHE_HOME: join(home, "cache"),
      DISPLAY: screen.display,
      LANG: locale,
      LC_ALL: locale,
      LANGUAGE: locale.split(".")[0],
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(home, "bus")}`,
    });
    try {
      await desktop.#fill(home, locale, results);
    } catch (error) {
      await desktop.stop();
      throw error;
    }
    return desktop;
  }

  async #fill(home, locale, results) {
    const speech = join(home, "config/speech-dispatcher");
    await cp("/etc/speech-dispatcher", speech, { recursive: true });
    await writeFile(
      join(speech, "speechd.conf"),
      [
        "LogLevel 5",
        `LogDir "${results}"`,
        `DefaultLanguage "${locale.slice(0, 2)}"`,
        'AudioOutputMethod "pulse"',
        'AddModule "espeak-ng" "sd_espeak-ng" "espeak-ng.conf"',
        "DefaultModule espeak-ng",
        "DisableAutoSpawn",
        "",
      ].join("\n"),
    );
    await this.#run("dbus-daemon", ["--session", "--nofork", `--address=unix:path=${join(home, "bus")}`]);
    await until("the session bus", () => this.#ask("gdbus", ["call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method", "org.freedesktop.DBus.GetId"]));
    await this.#run("openbox", []);
    await this.#run("pulseaudio", [
      "-n",
      "--daemonize=no",
      "--exit-idle-time=-1",
      "--load=module-null-sink sink_name=null",
      "--load=module-native-protocol-unix",
    ]);
    await until("the sound card", () => this.#ask("pactl", ["info"]));
    await this.#run("speech-dispatcher", ["-s", "-t", "0", "-l", "5", "-L", results, "-C", speech]);
    await this.#ask("gsettings", ["set", "org.gnome.desktop.interface", "toolkit-accessibility", "true"]);
    await this.#ask("gsettings", ["set", "org.gnome.desktop.a11y.applications", "screen-reader-enabled", "true"]);
    await this.#run("/usr/libexec/at-spi-bus-launcher", ["--launch-immediately", "--a11y=1"]);
    // Among processes of its own, since it ends or yields to any other Orca that it sees: that of whoever runs this.
    await this.#run("unshare", ["--pid", "--fork", "--mount-proc", "orca"]);
    await until("a word of the screen reader", async () => (await this.voice.said()).length > 0);
    await this.voice.rests();
  }

  /** Starts a program that lasts as long as the desktop. */
  async #run(program, words) {
    const child = spawn(program, words, { env: this.environment, stdio: "ignore", detached: true });
    await new Promise((resolve, reject) => child.once("spawn", () => resolve(undefined)).once("error", reject));
    this.#programs.push(child);
  }

  /** Runs a program to its end; true if it succeeded. */
  async #ask(program, words) {
    const child = spawn(program, words, { env: this.environment, stdio: "ignore" });
    return new Promise((resolve, reject) => child.once("exit", (code) => resolve(code === 0)).once("error", reject));
  }

  /** Presses a key, as a keyboard does. @param {string} name of X, such as Tab or shift+Tab */
  async key(name) {
    await this.#ask("xdotool", ["key", "--clearmodifiers", name]);
  }

  async stop() {
    for (const { pid } of this.#programs.reverse()) {
      try {
        // With what it started itself; the first process of a space of its own hears no other signal.
        if (pid) process.kill(-pid, "SIGKILL");
      } catch {
        // It ended before.
      }
    }
    await this.#screen.stop();
  }
}
