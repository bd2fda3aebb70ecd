// How many modules a code has across, with the margin that it brings along.

/** No code has more than 177, and some have a wide margin. */
const MOST = 256;
/** The most pixels that a side is looked at for. */
const LARGEST = 1_600;

/** @type {CanvasRenderingContext2D | undefined} */
let pen;

/** The pen for the pixels that are looked at. A browser's first one takes long, so it is made before a code waits for it. */
export function prepare() {
  // Pixels that are read at once would first go to the graphics card and back.
  pen ??= /** @type {CanvasRenderingContext2D} */ (
    document.createElement('canvas').getContext('2d', { alpha: false, willReadFrequently: true })
  );
  return pen;
}

/**
 * Counts them, by the square of seven in the corner: it is the first dark thing on the diagonal.
 * @param {HTMLImageElement} code
 */
export function modules(code) {
  const { naturalWidth: width, naturalHeight: height } = code;
  if (width > LARGEST || width !== height) throw new RangeError(`a code of ${width} × ${height} pixels`);
  // The square is in the first half of the picture, as any code has more than fourteen modules.
  const side = Math.ceil(width / 2);
  const pen = prepare();
  const { canvas } = pen;
  [canvas.width, canvas.height] = [side, side];
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, side, side);
  pen.drawImage(code, 0, 0);
  const { data } = pen.getImageData(0, 0, side, side);
  // Nothing of the code is kept.
  canvas.width = canvas.height = 0;
  const dark = (/** @type {number} */ x, /** @type {number} */ y) => data[4 * (y * side + x)] < 128;
  let corner = 0;
  while (corner < side && !dark(corner, corner)) corner += 1;
  let end = corner;
  while (end < side && dark(end, corner)) end += 1;
  const count = (7 * width) / (end - corner);
  // A picture that was scaled before, or whose margin is not the same on all sides, stays
  // unchanged.
  if (!Number.isInteger(count) || count > MOST) throw new RangeError('no whole number of modules');
  return count;
}
