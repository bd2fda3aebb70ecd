// The pages of the API, as Markdown, from docs/openapi.yaml: an overview, a page for each tag, and the schemas.

import { parse, stringify } from 'yaml';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** @returns {Map<string, string>} the text of each page, by its path */
export function apiPages(/** @type {string} */ text) {
  const contract = parse(text);
  const pages = new Map([
    ['api/index.md', overview(contract)],
    ['api/schemas.md', schemas(contract)],
  ]);
  for (const tag of contract.tags) pages.set(`api/${file(tag.name)}.md`, ofTag(contract, tag));
  return pages;
}

/** The pages of the API for the side of the site. */
export function apiSections(/** @type {string} */ text) {
  const { tags } = parse(text);
  return [
    { text: 'Overview', link: '/api/' },
    ...tags.map((/** @type {any} */ { name }) => ({ text: titled(name), link: `/api/${file(name)}` })),
    { text: 'Schemas', link: '/api/schemas' },
  ];
}

const file = (/** @type {string} */ tag) => tag.replaceAll(' ', '-');
const titled = (/** @type {string} */ tag) => tag[0].toUpperCase() + tag.slice(1);

/** The operations of the contract, each with its path, method and what the path itself has. */
function operations(/** @type {any} */ { paths }) {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      ...item[method],
      path,
      method: method.toUpperCase(),
      parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])],
    })),
  );
}

function overview(/** @type {any} */ contract) {
  const { info, servers, tags, components } = contract;
  const addresses = (/** @type {string} */ tag) => operations(contract)
    .filter(({ tags }) => tags[0] === tag)
    .map(({ method, path, operationId, summary }) => `- [\`${method} ${path}\`](./${file(tag)}.md#${operationId}): ${summary}`);
  const schemes = Object.entries(components.securitySchemes).map(([name, { type, scheme, in: place, name: called, description }]) =>
    row([`\`${name}\``, type === 'http' ? `HTTP ${scheme}` : `${place} \`${called}\``, description]));
  const server = servers[0];
  return [
    '# The API',
    `${info.title.replace(/<.*?>/g, '`$&`')}, version ${info.version}. ${info.summary}`,
    'These pages are made from <a href="../openapi.yaml" download>openapi.yaml</a>, which is OpenAPI 3.1.',
    info.description,
    `Every path begins with \`${server.variables.base.default}\`, or where your server has them. ${server.description}`,
    ...tags.flatMap((/** @type {any} */ { name, description }) => [`## ${titled(name)}`, description, addresses(name).join('\n')]),
    '## Who may ask {#security}',
    table(['Scheme', 'Where', ''], schemes),
  ].join('\n\n');
}

function ofTag(/** @type {any} */ contract, /** @type {any} */ tag) {
  const mine = operations(contract).filter(({ tags }) => tags[0] === tag.name);
  return [`# ${titled(tag.name)}`, tag.description, ...mine.map((each) => operation(contract, each))].join('\n\n');
}

function operation(/** @type {any} */ contract, /** @type {any} */ { path, method, operationId, summary, description, security, parameters, requestBody, responses }) {
  const parts = [`## \`${method} ${path}\` {#${operationId}}`, `**${summary}**`, description ?? ''];
  const schemes = (security ?? contract.security ?? []).map((/** @type {any} */ each) => Object.keys(each).map((name) => `[\`${name}\`](./index.md#security)`).join(' and '));
  if (schemes.length) parts.push(`Needs ${schemes.filter(Boolean).join(' or ') || 'nothing'}${schemes.includes('') ? ', or nothing' : ''}.`);
  if (parameters.length) {
    const rows = parameters.map((/** @type {any} */ each) => {
      const { name, in: place, required, schema, description: text } = resolved(contract, each);
      return row([`\`${name}\``, about({ ...schema, description: text ?? schema?.description }, required, place)]);
    });
    parts.push(`### Parameters {#${operationId}-parameters}`, table(['Name', ''], rows));
  }
  if (requestBody) {
    const body = resolved(contract, requestBody);
    parts.push(`### Body {#${operationId}-body}`, body.description ?? '', content(body.content));
  }
  parts.push(`### Answers {#${operationId}-answers}`);
  for (const [status, answer] of Object.entries(responses)) parts.push(response(contract, status, answer));
  return parts.join('\n\n');
}

function response(/** @type {any} */ contract, /** @type {string} */ status, /** @type {any} */ answer) {
  const { description, headers = {}, content: bodies } = resolved(contract, answer);
  const [first, ...rest] = flat(description).split(/(?<=\.) /);
  const parts = [rest.length ? description : ''];
  const rows = Object.entries(headers).map(([name, header]) => row([`\`${name}\``, flat(resolved(contract, header).description ?? '')]));
  if (rows.length) parts.push(table(['Header', ''], rows));
  if (bodies) parts.push(content(bodies));
  return `::: details ${status}: ${first}\n\n${parts.filter(Boolean).join('\n\n') || 'No body.'}\n\n:::`;
}

/** A body in each of its media types, with an example. */
function content(/** @type {any} */ bodies) {
  return Object.entries(bodies)
    .map(([media, { schema, example, examples }]) => {
      const parts = [`\`${media}\`: ${schema ? type(schema) : 'text'}`];
      if (schema?.properties) parts.push(fields(schema));
      for (const [name, value] of Object.entries(examples ?? (example === undefined ? {} : { '': { value: example } }))) {
        const isText = typeof value.value === 'string';
        parts.push(`Example${name && `, ${name}`}:`, fence(isText ? 'text' : 'json', isText ? value.value : JSON.stringify(value.value, null, 2)));
      }
      return parts.join('\n\n');
    })
    .join('\n\n');
}

function schemas(/** @type {any} */ { components }) {
  const all = Object.entries(components.schemas).map(([name, schema]) =>
    [
      `## ${name} {#${anchor(name)}}`,
      schema.description ?? '',
      schema.properties ? fields(schema) : type(schema),
      `::: details JSON Schema\n\n${fence('text', stringify(schema, { aliasDuplicateObjects: false }))}\n\n:::`,
    ].filter(Boolean).join('\n\n'),
  );
  return ['# Schemas', 'The bodies of requests and answers, and what is in them.', ...all].join('\n\n');
}

/** The fields of an object; those of an object in it have the path as their name. */
function fields(/** @type {any} */ schema) {
  const rows = (/** @type {any} */ { properties = {}, required = [] }, prefix = '') =>
    Object.entries(properties).flatMap(([name, each]) => [
      row([`<code>${(prefix + name).replaceAll('.', '.<wbr>')}</code>`, about(each, required.includes(name))]),
      ...(each.properties && !each.$ref ? rows(each, `${prefix}${name}.`) : []),
      ...(each.items?.properties && !each.items.$ref ? rows(each.items, `${prefix}${name}[].`) : []),
    ]);
  return table(['Field', ''], rows(schema));
}

/** @returns {string} */
function type(/** @type {any} */ schema) {
  if (schema === undefined || schema === true) return 'anything';
  if (schema === false) return 'nothing';
  if (schema.$ref) return reference(schema.$ref);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(', ');
  const choices = schema.oneOf ?? schema.anyOf;
  const named = choices?.filter((/** @type {any} */ each) => each.$ref || each.type || each.enum || 'const' in each) ?? [];
  if (named.length) return [...new Set(named.map(type))].join(' or ');
  if (schema.type === 'array' || schema.items) return `list of ${type(schema.items)}`;
  if (schema.allOf && !schema.type) return schema.allOf.filter((/** @type {any} */ each) => !each.if).map(type).join(' and ') || 'object';
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  return schema.type ?? (schema.properties ? 'object' : 'anything');
}

/** A link to a schema, or to a field of one. */
function reference(/** @type {string} */ target) {
  const [, , kind, name, ...rest] = target.split('/');
  const words = [name, ...rest.filter((word) => word !== 'properties')].join('.');
  return kind === 'schemas' ? `[${words}](./schemas.md#${anchor(name)})` : `\`${words}\``;
}

const anchor = (/** @type {string} */ name) => `schema-${name.toLowerCase()}`;
const literal = (/** @type {unknown} */ value) => `\`${JSON.stringify(value)}\``;

/** What a field or parameter is: its place, type and limits, and below them what it means. */
function about(/** @type {any} */ schema, /** @type {boolean} */ isRequired, place = '') {
  const { description, format, pattern, minLength, maxLength, minimum, maximum, default: usual } = schema ?? {};
  const facts = [
    place && `in the ${place}`,
    type(schema),
    isRequired && 'required',
    format && `format \`${format}\``,
    pattern && `matches \`${pattern}\``,
    minLength !== undefined && (minLength === 1 ? 'not empty' : `at least ${minLength} characters`),
    maxLength !== undefined && `at most ${maxLength} characters`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    usual !== undefined && `${literal(usual)} if absent`,
  ].filter(Boolean);
  return [facts.join('; '), description].filter(Boolean).join('<br>');
}

function resolved(/** @type {any} */ contract, /** @type {any} */ value) {
  if (!value?.$ref) return value;
  const target = value.$ref.slice(2).split('/').reduce((/** @type {any} */ at, /** @type {string} */ key) => at?.[key], contract);
  if (!target) throw new Error(`docs/openapi.yaml has no ${value.$ref}`);
  return { ...target, ...value, $ref: undefined };
}

const flat = (/** @type {string} */ text) => text.trim().replace(/\s*\n\s*/g, ' ');
const row = (/** @type {unknown[]} */ cells) => `| ${cells.map((cell) => flat(String(cell ?? '')).replaceAll('|', '\\|')).join(' | ')} |`;
const table = (/** @type {string[]} */ head, /** @type {string[]} */ rows) => [row(head), row(head.map(() => '---')), ...rows].join('\n');
const fence = (/** @type {string} */ language, /** @type {string} */ text) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
