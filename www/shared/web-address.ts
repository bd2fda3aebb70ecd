/** True for an address that a request can be made to: browsers refuse one with a name or a password in it. */
export function isAddress(text: string, base: string) {
  try {
    const { username, password } = new URL(text, base);
    return !(username || password);
  } catch {
    return false;
  }
}

/** An address for a link, or nothing if it is not `http:` or `https:`: another scheme could run a script. */
export function webAddress(text: string | null, base: string) {
  if (!text) return undefined;
  try {
    const { protocol, href } = new URL(text, base);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}

/** True for an address of any kind, relative to the page or whole. */
export function parses(text: string) {
  try {
    return Boolean(new URL(text, document.baseURI));
  } catch {
    return false;
  }
}
