/** `Promise.withResolvers`, which Node 20 lacks. */
export function latch() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}
