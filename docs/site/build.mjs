// Builds the site: `node build.mjs` with PACKAGE, the folder of the built npm package. `cargo xtask site` calls it.
//
// SITE_BASE is the path below which the site is published (`/` if it is not set), SITE_OUTPUT the folder that is written
// (target/site), SITE_REVISION the commit or branch that links to source files lead to (main).

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { apiPages } from './openapi.mjs';
import { PAGES, ROOT, SOURCE } from './sources.mjs';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const CONTRACT = 'docs/openapi.yaml';

const folder = process.env.PACKAGE;
if (!folder || !existsSync(join(folder, 'custom-elements.json')) || !existsSync(join(folder, 'testing'))) {
  throw new Error('Set PACKAGE to the folder of the built npm package, with its element and testing; `cargo xtask site` does it.');
}

const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), 'utf8');

function write(/** @type {string} */ page, /** @type {string} */ text) {
  const path = join(SOURCE, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A section of a document, with its heading. */
function section(/** @type {string} */ text, /** @type {string} */ heading) {
  const found = new RegExp(`^## ${heading}$[\\s\\S]*?(?=^## )`, 'm').exec(text);
  if (!found) throw new Error(`README.md has no section "${heading}", which the site's first page takes from it.`);
  return found[0].trim();
}

/** The first page: what it is, a picture, the tag, and the way on, all as README.md has them. */
function home() {
  const readme = read('README.md');
  const sentence = /^\*\*([\s\S]+?)\*\*$/m.exec(readme)?.[1];
  const picture = /^<img src="docs\/images\/.*>$/m.exec(readme)?.[0];
  if (!sentence || !picture) throw new Error('README.md has no sentence in bold or no picture, which the first page takes from it.');
  return [
    '---\nsidebar: false\naside: false\npageClass: home\n---',
    '# payment-checkout',
    sentence,
    '<div class="ways">\n\n[Take a first payment](docs/start.md) [Try the element](/playground.md)\n\n</div>',
    picture.replace('docs/images/', './guides/images/'),
    section(readme, 'For whom'),
    section(readme, 'Put it on your page'),
    '[All guides](docs/README.md), by who reads.',
  ].join('\n\n');
}

rmSync(SOURCE, { recursive: true, force: true });
for (const [file, page] of PAGES) write(page, file === 'README.md' ? home() : read(file));
for (const [page, text] of apiPages(read(CONTRACT))) write(page, text);
cpSync(join(HERE, 'pages'), SOURCE, { recursive: true });
cpSync(join(ROOT, 'docs/images'), join(SOURCE, 'guides/images'), { recursive: true });

// What is served as it is: the element as it ships, its example answers, and the page in the playground's frame.
const stage = join(SOURCE, 'public/stage');
cpSync(join(HERE, 'stage'), stage, { recursive: true });
for (const name of ['element', 'testing', 'custom-elements.json']) cpSync(join(folder, name), join(stage, name), { recursive: true });
cpSync(join(ROOT, CONTRACT), join(SOURCE, 'public/openapi.yaml'));

await build(HERE);
