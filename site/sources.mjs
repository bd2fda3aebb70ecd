// Which file of the repository each page of the site comes from, and where the links of that file lead on the site.

import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../', import.meta.url));
export const SOURCE = fileURLToPath(new URL('./.source/', import.meta.url));
export const REPOSITORY = 'https://github.com/payment-checkout/payment-checkout';

/** What a link to a source file leads to: the branch, or the commit that the site was built from. */
const REVISION = process.env.SITE_REVISION || 'main';

const CONTRACT = 'docs/openapi.yaml';

/** The pages that come from files, by file. Those in Spanish are below `es/`. */
export const PAGES = new Map([
  ['README.md', 'index.md'],
  ['docs/README.md', 'guides/index.md'],
  ...readdirSync(`${ROOT}docs`)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => /** @type {[string, string]} */ ([`docs/${name}`, name.endsWith('.es.md') ? `es/guides/${name.replace('.es.md', '.md')}` : `guides/${name}`])),
]);

const FILES = new Map([...PAGES].map(([file, page]) => [page, file]));

/** The file that a page comes from. */
const fileOf = (/** @type {string} */ page) => FILES.get(page) ?? (page.startsWith('api/') ? CONTRACT : undefined);

/** Where a link leads on the site, as a path from its top: links within a file are relative to that file. */
export function link(/** @type {string} */ href, /** @type {string} */ page) {
  const file = fileOf(page);
  if (!file || page.startsWith('api/') || /^([a-z]+:|#|\/)/.test(href)) return href;
  const [path, heading] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(file), path));
  const anchor = heading === undefined ? '' : `#${heading}`;
  if (target === CONTRACT) return '/api/index.md';
  const found = target.startsWith('docs/') && PAGES.get(target);
  if (found) return `/${found}${anchor}`;
  return `${REPOSITORY}/${target.endsWith('/') ? 'tree' : 'blob'}/${REVISION}/${target}${anchor}`;
}

/** A plugin of markdown-it that does so, and shows code as it is written: Vue would take `{{…}}` in it for its own. */
export function asOnTheSite(/** @type {any} */ markdown) {
  markdown.core.ruler.push('as-on-the-site', (/** @type {any} */ { tokens, env }) => {
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        if (token.type === 'link_open') token.attrSet('href', link(token.attrGet('href'), env.relativePath));
        if (token.type === 'code_inline') token.attrSet('v-pre', '');
      }
    }
  });
}

/** The address of a heading, as GitHub makes it, since the files link to each other by these. */
export const slug = (/** @type {string} */ words) => words.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
