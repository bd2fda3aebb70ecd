// Decides whether a Content Security Policy permits an inline script, https://www.w3.org/TR/CSP3/.

import { createHash } from 'node:crypto';

/** Whether each of the policies lets a script run. A header may have several, with commas between. */
export function permits(/** @type {string[]} */ policies, /** @type {string} */ text, /** @type {string | undefined} */ nonce) {
  return policies.flatMap((header) => header.split(',')).every((policy) => {
    const directives = new Map();
    for (const directive of policy.split(';')) {
      const [name, ...sources] = directive.trim().split(/\s+/);
      // Of a directive that comes twice the first one counts.
      if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
    }
    /** @type {string[] | undefined} */
    const sources = directives.get('script-src-elem') ?? directives.get('script-src') ?? directives.get('default-src');
    if (!sources) return true;
    const isStrict = sources.some((source) => /^'(?:nonce-|sha(?:256|384|512)-|strict-dynamic')/i.test(source));
    if (!isStrict && sources.some((source) => source.toLowerCase() === "'unsafe-inline'")) return true;
    if (nonce && sources.includes(`'nonce-${nonce}'`)) return true;
    return sources.some((source) => isHashOf(source, text));
  });
}

function isHashOf(/** @type {string} */ source, /** @type {string} */ text) {
  const [, algorithm, hash] = /^'(sha(?:256|384|512))-([\w+/=-]+)'$/i.exec(source) ?? [];
  return algorithm !== undefined && createHash(algorithm).update(text).digest('base64') === hash.replaceAll('-', '+').replaceAll('_', '/');
}
