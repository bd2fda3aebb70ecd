// The controls of the playground, from what the package says about its element.

/**
 * @typedef {object} Control
 * @property {string} name
 * @property {string} description
 * @property {'switch' | 'choice' | 'text'} kind
 * @property {string[]} choices
 */

/** The declaration of the payer's element in `custom-elements.json`. */
export function declaration(/** @type {any} */ manifest) {
  const all = manifest.modules.flatMap((/** @type {any} */ each) => each.declarations);
  return all.find((/** @type {any} */ each) => each.tagName === 'payment-checkout');
}

/** @returns {Control[]} */
export function attributes(/** @type {any} */ element) {
  return element.attributes.map((/** @type {any} */ { name, description, type }) => {
    const words = type.text.split(' | ');
    const choices = words.filter((/** @type {string} */ word) => word.startsWith("'")).map((/** @type {string} */ word) => word.slice(1, -1));
    // Several methods are one text.
    const isList = /separated by spaces/.test(description);
    const kind = type.text === 'boolean' ? 'switch' : choices.length && !isList ? 'choice' : 'text';
    return { name, description, kind, choices };
  });
}

/** The properties that are no attribute and can be set. */
export function properties(/** @type {any} */ element) {
  return element.members.filter((/** @type {any} */ { kind, attribute, readonly, static: isStatic }) => kind === 'field' && !attribute && !readonly && !isStatic);
}

/** The methods that a button can call: those that want nothing and answer nothing. */
export function methods(/** @type {any} */ element) {
  return element.members.filter(
    (/** @type {any} */ { kind, parameters, return: answer, description }) =>
      kind === 'method' && !parameters?.length && answer?.type?.text === 'void' && !/by this method/.test(description ?? ''),
  );
}

/** Custom properties, with their defaults. */
export const customProperties = (/** @type {any} */ element) => element.cssProperties;
