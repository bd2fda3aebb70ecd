import jsqr from "jsqr";
import { PNG } from "pngjs";

/**
 * Reads the code of a PNG, as an app does. `undefined` when it finds no code.
 * @param {Buffer} file
 * @returns {string | undefined}
 */
export function decode(file) {
  const { data, width, height } = PNG.sync.read(file);
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data;
}

/**
 * The color of a pixel of a PNG, as `[red, green, blue]`.
 * @param {Buffer} file
 * @param {number} x
 * @param {number} y from below when it is less than zero, as `x` from the right
 * @returns {number[]}
 */
export function pixel(file, x, y) {
  const { data, width, height } = PNG.sync.read(file);
  const at = ((y < 0 ? height + y : y) * width + (x < 0 ? width + x : x)) * 4;
  return [...data.subarray(at, at + 3)];
}

/**
 * The lengths of what is dark along the first row of a PNG that has anything dark, in pixels.
 * @param {Buffer} file
 */
export function darkRuns(file) {
  const { data, width } = PNG.sync.read(file);
  const first = data.findIndex((part, at) => at % 4 === 0 && part < 128) / 4;
  const row = Math.floor(first / width);
  const dark = Array.from({ length: width }, (_, x) => (data[(row * width + x) * 4] < 128 ? "x" : " "));
  return dark.join("").trim().split(/ +/).map((run) => run.length);
}
