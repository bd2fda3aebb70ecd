// How many modules a code has across, with the margin that it brings along.

/** No code has more than 177, and some have a wide margin. */
const MOST = 256;
/** The most pixels that a side is looked at for. */
const LARGEST = 1_600;

/**
 * Counts them, by the square of seven in the corner: it is the first dark thing on the diagonal.
 * @param {HTMLImageElement} code
 */
export function modules(code) {
  const { naturalWidth: width, naturalHeight: height } = code;
  if (width > LARGEST || width !== height) throw new RangeError(`a code of ${width} × ${height} pixels`);
  const canvas = document.createElement('canvas');
  // Pixels that are read at once would first go to the graphics card and back.
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false, willReadFrequently: true }));
  [canvas.width, canvas.height] = [width, height];
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, width, height);
  pen.drawImage(code, 0, 0);
  const { data } = pen.getImageData(0, 0, width, height);
  const dark = (/** @type {number} */ x, /** @type {number} */ y) => data[4 * (y * width + x)] < 128;
  let corner = 0;
  while (corner < width && !dark(corner, corner)) corner += 1;
  let end = corner;
  while (end < width && dark(end, corner)) end += 1;
  const count = (7 * width) / (end - corner);
  // A picture that was scaled before, or whose margin is not the same on all sides, stays
  // unchanged.
  if (!Number.isInteger(count) || count > MOST) throw new RangeError('no whole number of modules');
  return count;
}
