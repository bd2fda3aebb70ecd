// How the custom-elements manifest is made of the classes and their documentation, and what editors read out of it.

import { readFileSync, writeFileSync } from 'node:fs';
import { customData, webTypes } from './editors.mjs';

/** @param {string} attribute */
const propertyOf = (attribute) => attribute.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** The modules that register an element when they are imported. @type {Record<string, string>} */
const DEFINITIONS = {
  'element/element.js': 'element/payment-checkout.js',
  'operations/operations.js': 'operations/payment-operations.js',
};

/** The words of attributes that take certain ones; `npm/types` says the same in TypeScript. @type {Record<string, Record<string, string[]>>} */
const WORDS = {
  'payment-checkout': {
    'heading-level': ['1', '2', '3', '4', '5', '6'],
    locale: ['es-PE', 'en', 'pt-BR'],
    methods: ['QR', 'INSTALLMENT', 'CASHCODE', 'BANK_TRANSFER', 'CARD', 'WALLET'],
  },
  'payment-operations': {
    locale: ['es-PE', 'en'],
    permissions: ['cancel', 'refund', 'cancel refund'],
  },
};

/** Attributes that take more than their words: several, or a form of them. */
const OPEN = ['locale', 'methods'];

/** @param {string} tag @param {{ name: string, type: { text: string } }} attribute */
function typeOf(tag, { name, type }) {
  const words = WORDS[tag][name]?.map((word) => `'${word}'`);
  if (!words) return type;
  return { text: [...words, ...(OPEN.includes(name) ? ['string'] : [])].join(' | ') };
}

/** The published file of a source. @param {string} path */
const published = (path) => path.replace(/ts$/, 'js');

/** Adds facts that the analyzer cannot see, and removes private members. */
const finish = {
  name: 'finish',
  /** @param {{ customElementsManifest: { modules: any[] } }} made what the analyzer found, in a schema of its own */
  packageLinkPhase({ customElementsManifest: manifest }) {
    for (const module of [...manifest.modules]) {
      module.path = published(module.path);
      for (const { declaration } of module.exports) declaration.module = published(declaration.module);
      for (const element of module.declarations.filter((/** @type {any} */ { customElement }) => customElement)) {
        element.superclass = { name: 'HTMLElement' };
        // The event of a name that is a variable in the code.
        element.events = element.events.filter((/** @type {any} */ { name }) => name.includes('-'));
        element.members = element.members.filter((/** @type {any} */ { privacy }) => !['private', 'protected'].includes(privacy));
        for (const attribute of element.attributes) {
          attribute.fieldName = propertyOf(attribute.name);
          attribute.type = typeOf(element.tagName, attribute);
          const isSwitch = attribute.type.text === 'boolean';
          // A property that the class itself has is among them already.
          element.members = element.members.filter((/** @type {any} */ { name }) => name !== attribute.fieldName);
          element.members.push({
            kind: 'field',
            name: attribute.fieldName,
            type: { text: isSwitch ? 'boolean' : `${attribute.type.text} | null` },
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

/** Writes what editors read, beside the manifest. */
const editors = {
  name: 'editors',
  /** @param {{ customElementsManifest: { modules: any[] } }} made */
  packageLinkPhase({ customElementsManifest: { modules } }) {
    const declared = modules.flatMap(({ declarations }) => declarations);
    const elements = declared.filter(({ customElement }) => customElement);
    const library = JSON.parse(readFileSync('package.json', 'utf8'));
    const write = (/** @type {string} */ name, /** @type {object} */ data) => writeFileSync(name, `${JSON.stringify(data, null, 2)}\n`);
    write('html-custom-data.json', customData(elements));
    write('web-types.json', webTypes(elements, library));
  },
};

export default {
  globs: ['element/element.ts', 'operations/operations.ts'],
  packagejson: false,
  plugins: [finish, editors],
};
