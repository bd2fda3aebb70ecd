// The known name that somebody most likely meant.

/** How many letters have to be put in, taken out or replaced. */
function distance(from: string, to: string) {
  let row = [...to, ''].map((_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      next.push(Math.min(row[j + 1] + 1, next[j] + 1, row[j] + Number(letter !== other)));
    }
    row = next;
  }
  return row[to.length];
}

/** Capitals and hyphens are no letters. */
const plain = (name: string) => name.toLowerCase().replace(/[-_]/g, '');

/** The known name within two letters, and nothing if there is none. */
export function near(name: string, known: readonly string[]) {
  const far = (other: string) => distance(plain(name), plain(other));
  const [nearest] = [...known].sort((a, b) => far(a) - far(b));
  // Short names are near to everything.
  return far(nearest) <= Math.min(2, nearest.length / 2) ? nearest : undefined;
}
