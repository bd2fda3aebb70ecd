/** An address that a link may lead to; any other scheme could run a script. @param {string | null} text @param {string} base */
export function webAddress(text, base) {
  if (!text) return undefined;
  try {
    const { protocol, href } = new URL(text, base);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}
