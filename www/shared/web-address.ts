/** An address, relative to the page or whole; nothing for a text that is none. */
export function addressOf(text: string) {
  try {
    return new URL(text, document.baseURI);
  } catch {
    return undefined;
  }
}

/** True for an address that a request can be made to: browsers refuse one with a name or a password in it. */
export function isAddress(text: string) {
  const url = addressOf(text);
  return Boolean(url && !(url.username || url.password));
}

/** An address for a link, or nothing if it is not `http:` or `https:`: another scheme could run a script. */
export function webAddress(text: string | null | undefined) {
  const url = text ? addressOf(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
