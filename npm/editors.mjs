// Makes the data that editors of HTML read about the elements: custom data for VS Code and those that share its format, and web-types for
// JetBrains'. Both say what the custom-elements manifest says. The generators on npm bring a formatter along, and write
// documents of more words than this.

/** @typedef {{ name: string, description?: string, type?: { text: string }, default?: string }} Named */
/**
 * @typedef {object} Element what the manifest says of one
 * @property {string} tagName
 * @property {string} description
 * @property {Named[]} attributes
 * @property {Named[]} events
 * @property {Named[]} slots
 * @property {Named[]} cssProperties
 * @property {Named[]} cssParts
 * @property {(Named & { kind: string, attribute?: string })[]} members
 */

const DOCS = 'https://github.com/payment-checkout/payment-checkout/blob/main/docs/element.md';

/** The texts of a type that is a union of them. @param {Named} attribute @returns {string[]} */
const values = ({ type }) => [...(type?.text ?? '').matchAll(/'([^']*)'/g)].map(([, value]) => value);

/** @param {Named} attribute */
const isSwitch = ({ type }) => type?.text === 'boolean';

/** @param {string} title @param {Named[]} things */
const list = (title, things) => {
  const lines = things.filter(({ name }) => name).map(({ name, description }) => `- \`${name}\`: ${description}`);
  return lines.length ? `\n\n${title}:\n\n${lines.join('\n')}` : '';
};

/** @param {Element[]} elements */
export const customData = (elements) => ({
  version: 1.1,
  tags: elements.map(({ tagName, description, attributes, events, slots }) => ({
    name: tagName,
    description: { kind: 'markdown', value: description + list('Events', events) + list('Slots', slots) },
    attributes: attributes.map((attribute) => ({
      name: attribute.name,
      description: { kind: 'markdown', value: attribute.description },
      // `v` is the set of what has no value.
      ...(isSwitch(attribute) && { valueSet: 'v' }),
      ...(values(attribute).length && { values: values(attribute).map((name) => ({ name })) }),
    })),
    references: [{ name: 'Documentation', url: DOCS }],
  })),
});

/** @param {Named} thing */
const named = ({ name, description }) => ({ name, description });

/** @param {Element[]} elements @param {{ name: string, version: string }} library */
export const webTypes = (elements, { name, version }) => ({
  $schema: 'https://json.schemastore.org/web-types',
  name,
  version,
  'js-types-syntax': 'typescript',
  'description-markup': 'markdown',
  contributions: {
    html: {
      elements: elements.map((element) => ({
        name: element.tagName,
        description: element.description,
        'doc-url': DOCS,
        attributes: element.attributes.map((attribute) => ({
          ...named(attribute),
          value: isSwitch(attribute) ? { kind: 'no-value' } : { type: attribute.type?.text },
        })),
        slots: element.slots.filter(({ name }) => name).map(named),
        js: {
          properties: element.members
            .filter(({ kind }) => kind === 'field')
            .map((member) => ({ ...named(member), type: member.type?.text })),
          events: element.events.map((event) => ({ ...named(event), type: event.type?.text })),
        },
        css: {
          properties: element.cssProperties.map((property) => ({
            ...named(property),
            ...(property.default && { default: property.default }),
          })),
          parts: element.cssParts.map(named),
        },
      })),
    },
  },
});
