// How the custom-elements manifest is made of the classes and their documentation.

/** @param {string} attribute */
const propertyOf = (attribute) => attribute.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** The modules that register an element when they are imported. @type {Record<string, string>} */
const DEFINITIONS = {
  'element/element.js': 'element/payment-checkout.js',
  'operations/operations.js': 'operations/payment-operations.js',
};

/** Adds facts that the analyzer cannot see, and removes private members. */
const finish = {
  name: 'finish',
  /** @param {{ customElementsManifest: { modules: any[] } }} made what the analyzer found, in a schema of its own */
  packageLinkPhase({ customElementsManifest: manifest }) {
    for (const module of [...manifest.modules]) {
      for (const element of module.declarations.filter((/** @type {any} */ { customElement }) => customElement)) {
        element.superclass = { name: 'HTMLElement' };
        // The event of a name that is a variable in the code.
        element.events = element.events.filter((/** @type {any} */ { name }) => name.includes('-'));
        element.members = element.members.filter((/** @type {any} */ { privacy }) => privacy !== 'private');
        for (const attribute of element.attributes) {
          attribute.fieldName = propertyOf(attribute.name);
          element.members.push({
            kind: 'field',
            name: attribute.fieldName,
            type: { text: 'string | null' },
            description: attribute.description,
            attribute: attribute.name,
            reflects: true,
          });
        }
        manifest.modules.push({
          kind: 'javascript-module',
          path: DEFINITIONS[module.path],
          declarations: [],
          exports: [
            {
              kind: 'custom-element-definition',
              name: element.tagName,
              declaration: { name: element.name, module: module.path },
            },
          ],
        });
      }
    }
  },
};

export default {
  globs: ['element/element.js', 'operations/operations.js'],
  packagejson: false,
  plugins: [finish],
};
