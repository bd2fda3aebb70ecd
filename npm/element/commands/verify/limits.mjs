// How much this command looks at: whoever changed a page may have made it so that nobody comes to its end.

/** More than a page of a shop has. */
export const MOST_FILES = 500;
export const MOST_BASES = 20;
export const LARGEST_FILE_BYTES = 20_000_000;

/** The most characters of a page that are read as parts of tags. Those of a script within a script count for both. */
export const MOST_OF_TAGS = 200_000_000;

export class TooMuchError extends Error {
  constructor(/** @type {string} */ what) {
    super(`${what}, which is more than this command looks at.`);
  }
}
