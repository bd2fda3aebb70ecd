/** How long anything may take; machines differ. */
const PATIENCE = 30_000;
const GLANCE = 50;

/**
 * Asks again and again until the answer is true, and returns it. An error counts as no: a page that is
 * being left has no answer. A question that an engine never answers fails as one that is answered by no.
 * @template T
 * @param {string} what is waited for
 * @param {() => T | Promise<T>} ask
 * @returns {Promise<T>}
 */
export async function until(what, ask, patience = PATIENCE) {
  const end = performance.now() + patience;
  let timer;
  // A little after the end, so that it ends no question that is answered.
  const silence = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("the last question got no answer")), patience + 1_000);
  });
  try {
    return await repeat(what, () => Promise.race([ask(), silence]), end, patience);
  } finally {
    clearTimeout(timer);
  }
}

async function repeat(what, ask, end, patience) {
  let cause;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > end) {
      const reason = cause ? `: ${cause.message}` : "";
      throw new Error(`waited ${patience / 1000} s in vain for ${what}${reason}`, { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, GLANCE));
  }
}
