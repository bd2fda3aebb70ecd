const STORED = "sandbox";

/**
 * The sandbox listens two ports above the shop, unless `?sandbox=` names its address, which the tab
 * remembers.
 *
 * @returns {URL}
 */
export function sandbox() {
  const named = loopback(new URLSearchParams(location.search).get("sandbox"));
  try {
    if (named !== null) {
      sessionStorage.setItem(STORED, named.href);
      return named;
    }
    const stored = loopback(sessionStorage.getItem(STORED));
    if (stored !== null) {
      return stored;
    }
  } catch {
    // Without storage the guess below will do.
  }
  const guess = new URL("/", location.href);
  guess.port = String(Number(location.port || 8080) + 2);
  return named ?? guess;
}

/**
 * The shop accepts an address from a link only when it stays on this machine.
 *
 * @param {string | null} text
 * @returns {URL | null}
 */
function loopback(text) {
  if (text === null) {
    return null;
  }
  try {
    const url = new URL(text);
    const near = ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
    return near && /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}
