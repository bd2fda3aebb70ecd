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
