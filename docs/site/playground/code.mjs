// The code to copy: what a page needs for the settings of the playground, and nothing that has its default.

/**
 * @typedef {object} Chosen
 * @property {Record<string, string>} attributes only those that are set
 * @property {Record<string, unknown>} properties
 * @property {Record<string, string>} style
 */

const TAG = 'payment-checkout';
const WIDTH = 90;

export function html(/** @type {Chosen} */ { attributes }) {
  const indent = ' '.repeat(TAG.length + 2);
  const lines = [`<${TAG}`];
  for (const [name, value] of Object.entries(attributes)) {
    const pair = value === '' ? name : `${name}="${escaped(value)}"`;
    const last = lines[lines.length - 1];
    if (last.length + pair.length + 1 > WIDTH) lines.push(`${indent}${pair}`);
    else lines[lines.length - 1] = `${last} ${pair}`;
  }
  return `${lines.join('\n')}></${TAG}>`;
}

export function javascript(/** @type {Chosen} */ { properties }) {
  const sets = Object.entries(properties).map(([name, value]) => `checkout.${name} = ${literal(value)};`);
  return [
    `const checkout = document.querySelector('${TAG}');`,
    ...sets,
    "checkout.addEventListener('checkout-result', ({ detail }) => {",
    "  if (detail.outcome === 'paid') location.assign('/order/1001'); // which asks your server",
    '});',
    "import('payment-checkout-element');",
  ].join('\n');
}

/** Nothing where the element keeps its own looks. */
export function css(/** @type {Chosen} */ { style }) {
  const declarations = Object.entries(style);
  if (!declarations.length) return '';
  return [`${TAG} {`, ...declarations.map(([name, value]) => `  ${name}: ${value};`), '}'].join('\n');
}

const escaped = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** A value as it is written by hand: `{ order_id: '1001' }`. @returns {string} */
function literal(/** @type {unknown} */ value, indent = '') {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return String(value);
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((each) => literal(each, deeper))
    : Object.entries(value).map(([name, each]) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name)}: ${literal(each, deeper)}`);
  if (!parts.length) return isList ? '[]' : '{}';
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }'];
  const line = `${open}${parts.join(', ')}${close}`;
  if (line.length + indent.length <= WIDTH - 24) return line;
  return `${open.trim()}\n${parts.map((part) => `${deeper}${part},`).join('\n')}\n${indent}${close.trim()}`;
}

const quoted = (/** @type {string} */ text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
