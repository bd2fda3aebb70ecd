// What tells of news outside the element: a number in the title of the page, and a sound.

/** The two notes, in hertz. */
const NOTES = [660, 880];

const SECONDS_A_NOTE = 0.18;

export class Notices {
  /** What stands before the page's own title. */
  #mark = '';
  #audio?: AudioContext;

  /** Shows a number, unless it is 0. The page may have changed its title meanwhile: only the mark is taken away. */
  mark(count: number) {
    if (!count && !this.#mark) return;
    // Without a title of the page's own, the browser cuts the space of the mark off.
    const title = `${document.title} `;
    const own = title.slice(title.startsWith(this.#mark) ? this.#mark.length : 0).trimEnd();
    this.#mark = count ? `(${count}) ` : '';
    document.title = this.#mark + own;
  }

  ring() {
    this.#audio ??= new AudioContext();
    const audio = this.#audio;
    // The browser may have stopped it since the press.
    audio.resume().catch(() => {});
    NOTES.forEach((pitch, at) => {
      const from = audio.currentTime + at * SECONDS_A_NOTE;
      const note = audio.createOscillator();
      const loudness = audio.createGain();
      note.frequency.value = pitch;
      loudness.gain.setValueAtTime(0.2, from);
      loudness.gain.linearRampToValueAtTime(0, from + SECONDS_A_NOTE);
      note.connect(loudness).connect(audio.destination);
      note.start(from);
      note.stop(from + SECONDS_A_NOTE);
    });
  }

  end() {
    this.mark(0);
    this.#audio?.close().catch(() => {});
    this.#audio = undefined;
  }
}
