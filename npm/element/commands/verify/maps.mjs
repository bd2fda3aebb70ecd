// Import maps, read and applied as browsers do, https://html.spec.whatwg.org/multipage/webappapis.html#import-maps.

/**
 * @typedef {[key: string, target: URL | undefined][]} Rules a rule without a target blocks the name
 * @typedef {object} ImportMap
 * @property {Rules[]} rules those for all modules, and those of each scope
 * @property {[address: string, integrity: string][]} pins
 * @property {string} [fault] why browsers ignore the map
 */

/** The address that a name is by itself. */
export function addressOf(/** @type {string} */ name, /** @type {URL} */ base) {
  if (/^\.{0,2}\//.test(name)) return URL.canParse(name, base) ? new URL(name, base) : undefined;
  return URL.canParse(name) ? new URL(name) : undefined;
}

/** @returns {ImportMap} */
export function readMap(/** @type {string} */ text, /** @type {URL} */ base) {
  /** @type {any} */
  let map;
  try {
    map = JSON.parse(text);
  } catch {
    return faulty('it is no JSON');
  }
  if (!isObject(map)) return faulty('it is no JSON object');
  const { imports = {}, scopes = {}, integrity = {} } = map;
  for (const [name, part] of Object.entries({ imports, scopes, integrity })) {
    if (!isObject(part)) return faulty(`its ${JSON.stringify(name)} is no object`);
  }
  for (const [name, scope] of Object.entries(scopes)) {
    if (!isObject(scope)) return faulty(`its scope ${JSON.stringify(name)} is no object`);
  }
  const rules = [imports, ...Object.values(scopes)].map((part) => rulesOf(part, base));
  /** @type {ImportMap['pins']} */
  const pins = [];
  for (const [name, hash] of Object.entries(integrity)) {
    const address = addressOf(name, base);
    if (address && typeof hash === 'string') pins.push([address.href, hash]);
  }
  return { rules, pins };
}

/**
 * Where a name may lead: to itself if it is an address, since some browsers ignore a map, and where each set of rules leads. All
 * scopes count, whichever module imports the name. `isBlocked` says that rules forbid it.
 */
export function leads(/** @type {string} */ name, /** @type {URL} */ from, /** @type {ImportMap[]} */ maps) {
  const itself = addressOf(name, from);
  const key = itself?.href ?? name;
  /** @type {URL[]} */
  const addresses = itself ? [itself] : [];
  let isBlocked = false;
  for (const rules of maps.flatMap((map) => map.rules)) {
    const found = longest(rules, key);
    if (!found) continue;
    const [prefix, target] = found;
    const rest = key.slice(prefix.length);
    if (target && rest === '') addresses.push(target);
    else if (target && URL.canParse(rest, target)) addresses.push(new URL(rest, target));
    else isBlocked = true;
  }
  return { addresses, isBlocked };
}

/** The rule for a whole name, or for the longest beginning of it. */
function longest(/** @type {Rules} */ rules, /** @type {string} */ key) {
  const fitting = rules.filter(([name]) => name === key || (name.endsWith('/') && key.startsWith(name)));
  return fitting.sort(([a], [b]) => b.length - a.length)[0];
}

/** @returns {Rules} */
function rulesOf(/** @type {Record<string, unknown>} */ part, /** @type {URL} */ base) {
  return Object.entries(part).filter(([name]) => name !== '').map(([name, value]) => {
    const target = typeof value === 'string' ? addressOf(value, base) : undefined;
    const isFolder = !name.endsWith('/') || target?.href.endsWith('/');
    return [addressOf(name, base)?.href ?? name, isFolder ? target : undefined];
  });
}

const isObject = (/** @type {unknown} */ value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A map that browsers ignore. @returns {ImportMap} */
export const faulty = (/** @type {string} */ fault) => ({ rules: [], pins: [], fault });
