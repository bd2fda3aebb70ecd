// The site by VitePress. `build.mjs` gathers its pages in docs/site/.source.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { apiSections } from '../openapi.mjs';
import { REPOSITORY, ROOT, SOURCE, asOnTheSite, slug } from '../sources.mjs';
import { looks } from '../playground/looks.mjs';

const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), 'utf8');

const title = (/** @type {string} */ file) => /^# (.+)$/m.exec(read(file))?.[1].replaceAll('`', '') ?? file;

/** The guides by who reads, as docs/README.md groups them. A check of the documents holds that list complete. */
const guides = read('docs/README.md').split(/^## /m).slice(1).map((group) => ({
  text: group.slice(0, group.indexOf('\n')),
  items: [...group.matchAll(/^\| \[(.+)\.md\]/gm)].map(([, name]) => ({ text: title(`docs/${name}.md`), link: `/guides/${name}` })),
}));

/** The page's policy, with the hash of each script that VitePress writes into it. */
function policy(/** @type {string} */ html) {
  const scripts = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = scripts.map(([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(hashes)].join(' ')}`,
    "style-src 'self'",
    // The colors of code, and the alignment of columns.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

export default defineConfig({
  srcDir: SOURCE,
  outDir: process.env.SITE_OUTPUT || join(ROOT, 'target/site'),
  cacheDir: join(ROOT, 'target/site-cache'),
  base: process.env.SITE_BASE || '/',
  title: 'payment-checkout',
  description: 'A checkout for merchants with a server of their own, as a custom element',
  lang: 'en',
  // Nothing is read from the history of the repository, and every host can serve plain files.
  lastUpdated: false,
  cleanUrls: false,
  // A change of the theme would add a style sheet within the page, which the policy forbids.
  appearance: { disableTransition: false },
  markdown: {
    anchor: { slugify: slug },
    config: asOnTheSite,
  },
  vue: {
    template: { compilerOptions: { isCustomElement: (/** @type {string} */ tag) => tag.startsWith('payment-') } },
  },
  vite: {
    define: {
      __MANIFEST__: readFileSync(join(SOURCE, 'public/stage/custom-elements.json'), 'utf8'),
      __LOOKS__: JSON.stringify(looks(read('docs/theming.md'))),
    },
    build: { chunkSizeWarningLimit: 2000 },
  },
  transformHtml: (html) => html.replace('<meta charset="utf-8">', (tag) => `${tag}\n    <meta http-equiv="Content-Security-Policy" content="${policy(html)}">`),
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guides/', activeMatch: '/guides/' },
      { text: 'API', link: '/api/', activeMatch: '/api/' },
      { text: 'Playground', link: '/playground' },
      ...(REPOSITORY ? [{ text: 'Source', link: REPOSITORY }] : []),
    ],
    sidebar: {
      '/guides/': guides,
      '/api/': [{ text: 'API', items: apiSections(read('docs/openapi.yaml')) }],
    },
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { detailedView: false } },
    docFooter: { prev: false, next: false },
    externalLinkIcon: true,
    i18nRouting: false,
  },
  locales: {
    root: { label: 'English', lang: 'en' },
    es: {
      label: 'Español',
      lang: 'es',
      link: '/es/guides/start',
      themeConfig: {
        sidebar: { '/es/': [{ text: 'Guías', items: ['start', 'sellers'].map((name) => ({ text: title(`docs/${name}.es.md`), link: `/es/guides/${name}` })) }] },
        outline: { level: [2, 3], label: 'En esta página' },
        darkModeSwitchLabel: 'Apariencia',
        sidebarMenuLabel: 'Menú',
        returnToTopLabel: 'Arriba',
        langMenuLabel: 'Cambiar de idioma',
      },
    },
  },
});
