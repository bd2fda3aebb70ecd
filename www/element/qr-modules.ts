// How many modules a code has across, with the margin that it brings along.

/** No code has more than 177, and some have a wide margin. */
const MAX_MODULES = 256;
/** The most pixels that a side is looked at for. */
const MAX_SIDE_PX = 1_600;

let pen: CanvasRenderingContext2D | undefined;

/** The pen for the pixels that are looked at. A browser's first one takes long, so it is made before a code waits for it. */
export function prepare() {
  // Pixels that are read at once would first go to the graphics card and back.
  pen ??= document.createElement('canvas').getContext('2d', { alpha: false, willReadFrequently: true }) as CanvasRenderingContext2D;
  return pen;
}

/** Counts them, by the square of seven in the corner: it is the first dark thing on the diagonal. */
export function modules(code: HTMLImageElement) {
  const { naturalWidth: width, naturalHeight: height } = code;
  if (width > MAX_SIDE_PX || width !== height) throw new RangeError(`a code of ${width} × ${height} pixels`);
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
  const dark = (x: number, y: number) => data[4 * (y * side + x)] < 128;
  let corner = 0;
  while (corner < side && !dark(corner, corner)) corner += 1;
  let end = corner;
  while (end < side && dark(end, corner)) end += 1;
  const count = (7 * width) / (end - corner);
  // A picture that was scaled before, or whose margin is not the same on all sides, stays
  // unchanged.
  if (!Number.isInteger(count) || count > MAX_MODULES) throw new RangeError('no whole number of modules');
  return count;
}
