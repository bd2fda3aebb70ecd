// A screen in memory, for a browser that has no mode without a window.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PNG } from "pngjs";

/** The numbers at the start of a picture in the format XWD, by their positions. */
const HEADER_SIZE = 0;
const WIDTH = 4;
const HEIGHT = 5;
const BYTES_A_LINE = 12;
const COLORS = 19;
const BYTES_A_COLOR = 12;

/** The virtual screen of Xvfb. */
export class VirtualScreen {
  #process;
  /** A folder that lasts as long as it. */
  folder;
  /** Its name for programs. */
  display;

  constructor(process, folder, display) {
    this.#process = process;
    this.folder = folder;
    this.display = display;
  }

  /** @param {number} width @param {number} height */
  static async start(width, height) {
    const folder = await mkdtemp(join(tmpdir(), "screen-"));
    const child = spawn(
      "Xvfb",
      // The screen is a file in the folder, and its free number is told on the fourth stream.
      ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-fbdir", folder, "-nolisten", "tcp", "-nocursor"],
      { stdio: ["ignore", "ignore", "ignore", "pipe"] },
    );
    const number = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
      child.stdio[3].once("data", (text) => resolve(String(text).trim()));
    });
    return new VirtualScreen(child, folder, `:${number}`);
  }

  /** Everything on it now, as it lies in memory. @returns {Promise<Buffer>} */
  async contents() {
    return readFile(join(this.folder, "Xvfb_screen0"));
  }

  async stop() {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill();
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A part of a screen's contents, as a PNG. @param {Buffer} contents */
export function cutOut(contents, { x, y, width, height }) {
  const number = (position) => contents.readUInt32BE(position * 4);
  const start = number(HEADER_SIZE) + number(COLORS) * BYTES_A_COLOR;
  const right = Math.min(x + width, number(WIDTH));
  const bottom = Math.min(y + height, number(HEIGHT));
  const picture = new PNG({ width: right - x, height: bottom - y });
  let to = 0;
  for (let row = y; row < bottom; row += 1) {
    let from = start + row * number(BYTES_A_LINE) + x * 4;
    for (let column = x; column < right; column += 1, from += 4, to += 4) {
      // Blue, green, red, and a byte without meaning.
      picture.data[to] = contents[from + 2];
      picture.data[to + 1] = contents[from + 1];
      picture.data[to + 2] = contents[from];
      picture.data[to + 3] = 255;
    }
  }
  return PNG.sync.write(picture);
}
