// Counts the modules across a code, with the margin that is part of its picture.

/** No code has more than 177 modules, and some have a wide margin. */
const MAX_MODULES = 256;
/** A larger picture is not searched. */
const MAX_SIDE_PX = 1_600;

let pen: CanvasRenderingContext2D | undefined;

/** The context that the pixels are read from. The first one takes a browser long, so it is made before there is a code. */
export function prepare() {
  // Otherwise the pixels would go to the graphics card and back.
  pen ??= document.createElement('canvas').getContext('2d', { alpha: false, willReadFrequently: true }) as CanvasRenderingContext2D;
  return pen;
}

/** Counts the modules by the square of seven in the corner, which is the first dark thing on the diagonal. */
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
  // The pixels of the code are not kept.
  canvas.width = canvas.height = 0;
  const dark = (x: number, y: number) => data[4 * (y * side + x)] < 128;
  let corner = 0;
  while (corner < side && !dark(corner, corner)) corner += 1;
  let end = corner;
  while (end < side && dark(end, corner)) end += 1;
  const count = (7 * width) / (end - corner);
  // A picture that was scaled, or whose margin differs between sides, stays as it is.
  if (!Number.isInteger(count) || count > MAX_MODULES) throw new RangeError('no whole number of modules');
  return count;
}
