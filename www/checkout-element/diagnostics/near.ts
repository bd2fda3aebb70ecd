// The known name that is most likely meant by an unknown one.

/** How many letters differ: inserted, removed or replaced. */
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

/** A name without the difference between capitals and hyphens. */
const plain = (name: string) => name.toLowerCase().replace(/[-_]/g, '');

/** The known name that differs by at most two letters. */
export function near(name: string, known: readonly string[]) {
  const far = (other: string) => distance(plain(name), plain(other));
  const [nearest] = [...known].sort((a, b) => far(a) - far(b));
  // In a short name two letters are too many.
  return far(nearest) <= Math.min(2, nearest.length / 2) ? nearest : undefined;
}
