// The picture that a payer saves: the code with the details of its payment, without which it is unclear in a gallery a
// week later; or the receipt, which has no code.
//
// The picture is black on white on every page, because other apps have to scan it. The code is drawn in whole multiples of
// its pixels, with room around it, because it may have no quiet zone.

/** The usual and the largest width of a code in pixels. Phones draw no more. */
const CODE_PX = 720;
const MAX_CODE_PX = 1_600;
const MARGIN_PX = 48;
/** The widths of a name and its value, as shares of a line. */
const NAME_SHARE = 0.42;
const VALUE_SHARE = 0.55;
/** The room below each name and value. */
const ROW_GAP_PX = 12;

interface Line {
  text: string;
  /** The name of a value, at the other edge. */
  name?: string;
  font: string;
  height: number;
}

/**
 * Draws the picture, a PNG as a data URI. The element `words` has the lines above the code in `data-above`, the last one
 * largest, and those below it in `data-below`, where a tab separates a name from its value.
 */
export function picture(code: HTMLImageElement | null, words: HTMLElement): string {
  const { naturalWidth: width, naturalHeight: height } = code ?? { naturalWidth: CODE_PX, naturalHeight: 0 };
  if (!width || Math.max(width, height) > MAX_CODE_PX) throw new RangeError(`a code of ${width} × ${height} pixels`);
  const scale = Math.max(1, Math.round(CODE_PX / Math.max(width, height)));
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
  const family = getComputedStyle(words).fontFamily;
  canvas.width = Math.max(CODE_PX, width * scale) + 2 * MARGIN_PX;
  const lines = (texts: string | undefined, ...fonts: string[]) =>
    (texts ?? '')
      .split('\n')
      .filter(Boolean)
      .flatMap((text, at, all) =>
        rows(pen, text, `${fonts[at < all.length - 1 ? 0 : fonts.length - 1]} ${family}`, canvas.width - 2 * MARGIN_PX),
      );
  const above = lines(words.dataset.above, '600 30px', '700 46px');
  const below = lines(words.dataset.below, '400 26px');
  const room = (of: Line[]) => of.reduce((sum, line) => sum + line.height, 0);
  // This resets the context; the fonts above were only for measuring.
  canvas.height = 2 * MARGIN_PX + room(above) + MARGIN_PX / 2 + height * scale + MARGIN_PX / 2 + room(below);

  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#1b2128';
  pen.textBaseline = 'middle';
  const write = (of: Line[], top: number) => {
    for (const line of of) {
      pen.font = line.font;
      const middle = top + line.height / 2;
      const place = line.name === undefined ? canvas.width / 2 : canvas.width - MARGIN_PX;
      pen.textAlign = line.name === undefined ? 'center' : 'right';
      // The browser condenses a word that is longer than the line.
      pen.fillText(line.text, place, middle, (line.name === undefined ? 1 : VALUE_SHARE) * (canvas.width - 2 * MARGIN_PX));
      pen.textAlign = 'left';
      if (line.name) pen.fillText(line.name, MARGIN_PX, middle, NAME_SHARE * (canvas.width - 2 * MARGIN_PX));
      top += line.height;
    }
    return top;
  };
  const top = write(above, MARGIN_PX) + MARGIN_PX / 2;
  pen.imageSmoothingEnabled = false;
  if (code) pen.drawImage(code, Math.floor((canvas.width - width * scale) / 2), top, width * scale, height * scale);
  write(below, top + height * scale + MARGIN_PX / 2);

  // Some browsers return noise instead of the drawn pixels, so that sites cannot recognize a person
  // by them.
  if (pen.getImageData(0, 0, 16, 16).data.some((part) => part < 250)) throw new Error('the browser hides what was drawn');
  return canvas.toDataURL('image/png');
}

/** A text in lines that fit, or a name and its value beside each other. */
function rows(pen: CanvasRenderingContext2D, text: string, font: string, width: number): Line[] {
  const [name, value] = text.split('\t');
  if (value === undefined) return wrapped(pen, text, font, width);
  const names = wrapped(pen, name, font, NAME_SHARE * width);
  const values = wrapped(pen, value, font, VALUE_SHARE * width);
  const [{ height }] = names;
  const count = Math.max(names.length, values.length);
  const line = (at: number) => ({ font, height, name: names[at]?.text ?? '', text: values[at]?.text ?? '' });
  return [...Array.from({ length: count }, (_, at) => line(at)), { font, height: ROW_GAP_PX, text: '' }];
}

/** Breaks a text into lines that fit. */
function wrapped(pen: CanvasRenderingContext2D, text: string, font: string, width: number): Line[] {
  pen.font = font;
  const height = Math.round(1.4 * Number.parseInt(font.split(' ')[1], 10));
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines[lines.length - 1]} ${word}`;
    if (lines.length > 0 && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => ({ text: line, font, height }));
}
