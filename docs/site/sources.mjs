// Which file of the repository each page of the site comes from, and where the links of that file lead on the site.

import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const SOURCE = fileURLToPath(new URL('./.source/', import.meta.url));

/** The repository's address, once it is ours. */
export const REPOSITORY = Object.entries(JSON.parse(readFileSync(`${ROOT}crates/build/xtask/names.json`, 'utf8')).repository)
  .find(([, owner]) => owner === 'ours')?.[0];

/** What a link to a source file leads to: the branch, or the commit that the site was built from. */
const REVISION = process.env.SITE_REVISION || 'main';

const CONTRACT = 'docs/openapi.yaml';

/** The pages that come from files, by file. Those in Spanish are below `es/`. */
export const PAGES = new Map([
  ['README.md', 'index.md'],
  ['docs/README.md', 'guides/index.md'],
  ...['', 'internals/']
    .flatMap((folder) => readdirSync(`${ROOT}docs/${folder}`).map((name) => `${folder}${name}`))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => /** @type {[string, string]} */ ([`docs/${name}`, name.endsWith('.es.md') ? `es/guides/${name.replace('.es.md', '.md')}` : `guides/${name}`])),
]);

const FILES = new Map([...PAGES].map(([file, page]) => [page, file]));

/** The file that a page comes from. */
const fileOf = (/** @type {string} */ page) => FILES.get(page) ?? (page.startsWith('api/') ? CONTRACT : undefined);

/**
 * Where a link leads on the site, as a path from its top: links within a file are relative to that file. Undefined for a
 * source file while the repository is not ours.
 * @returns {string | undefined}
 */
export function link(/** @type {string} */ href, /** @type {string} */ page, repository = REPOSITORY) {
  const file = fileOf(page);
  if (!file || page.startsWith('api/') || /^([a-z]+:|#|\/)/.test(href)) return href;
  const [path, heading] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(file), path));
  const anchor = heading === undefined ? '' : `#${heading}`;
  if (target === CONTRACT) return '/api/index.md';
  const found = target.startsWith('docs/') && PAGES.get(target);
  if (found) return `/${found}${anchor}`;
  return repository ? `${repository}/${target.endsWith('/') ? 'tree' : 'blob'}/${REVISION}/${target}${anchor}` : undefined;
}

/** The tokens of a text with its links as the site has them: one that leads nowhere becomes its words. */
function linked(/** @type {any[]} */ tokens, /** @type {string} */ page, /** @type {string | undefined} */ repository) {
  let leads = true;
  return tokens.filter((token) => {
    if (token.type === 'link_open') {
      const target = link(token.attrGet('href'), page, repository);
      leads = target !== undefined;
      if (leads) token.attrSet('href', target);
    }
    return leads || !token.type.startsWith('link_');
  });
}

/** A plugin of markdown-it that does so, and shows code as it is written: Vue would take `{{…}}` in it for its own. */
export function asOnTheSite(/** @type {any} */ markdown, repository = REPOSITORY) {
  markdown.core.ruler.push('as-on-the-site', (/** @type {any} */ { tokens, env }) => {
    for (const token of tokens) {
      if (!token.children) continue;
      token.children = linked(token.children, env.relativePath, repository);
      for (const child of token.children) if (child.type === 'code_inline') child.attrSet('v-pre', '');
    }
  });
}

/** The address of a heading, as GitHub makes it, since the files link to each other by these. */
export const slug = (/** @type {string} */ words) => words.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
