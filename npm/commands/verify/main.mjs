// `payment-checkout-element verify`: compares what a live page loads with a release.

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Files } from './files.mjs';
import { importMap, inventory } from './inventory.mjs';
import { judge } from './judge.mjs';

/** @import { Judged, Release } from './judge.mjs' */

const USAGE = `payment-checkout-element verify ADDRESS [options]

Downloads the page at ADDRESS as a browser without a session gets it, with its scripts and what they import, and compares
the files of the element with those of this package's release. For another release run that release's command, as in
\`npx payment-checkout-element@0.1.0 verify ADDRESS\`.

  --script ADDRESS   a file that the page loads and does not name, such as the chunk of a router; more than once
  --header 'N: V'    a header for the page's origin, such as a cookie, where the page needs one; more than once
  --release FILE     another integrity.json than this package's
  --inventory        prints a list of all scripts of the page as CSV instead of a report
  --import-map AT    no page: prints an import map that pins the files, for a page that serves the folder element at AT

  same        these bytes are the release's
  different   a file of the element has other bytes
  missing     a file of the element is not there
  bundled     the element is inside a file of the shop's own build, whose bytes no release has
  other       a script that is not the element's

Exit code 0: every file of the element is the release's. 1: one is different or missing. 2: that cannot be said.
`;

const [SAME, DIFFERENT, UNKNOWN] = [0, 1, 2];

/** @returns {Promise<number>} the exit code */
export async function run(/** @type {string[]} */ words) {
  try {
    return await verify(words);
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
    return UNKNOWN;
  }
}

async function verify(/** @type {string[]} */ words) {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      script: { type: 'string', multiple: true, default: [] },
      header: { type: 'string', multiple: true, default: [] },
      release: { type: 'string' },
      inventory: { type: 'boolean', default: false },
      'import-map': { type: 'string' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return SAME;
  }
  const release = await releaseOf(values.release);
  if (values['import-map'] !== undefined) {
    process.stdout.write(importMap(release, values['import-map']));
    return SAME;
  }
  const address = addressOf(positionals);
  const files = new Files(headersOf(values.header));
  const { page, loaded } = await files.page(address);
  if (loaded.status !== 200) throw new Error(`${loaded.url.href}: ${loaded.reason || `the server answers ${loaded.status}, and no page`}`);
  const more = values.script.map((script) => new URL(script, loaded.url));
  const judged = await judge(await files.all(page, more), release, files);
  if (values.inventory) process.stdout.write(inventory(judged, release));
  else process.stdout.write(report(judged, release, { asked: address, came: loaded.url, hasFrames: page.hasFrames }));
  return exitCode(judged);
}

/** @returns {Promise<Release>} */
async function releaseOf(/** @type {string | undefined} */ file) {
  if (file && /^\d+\.\d+\.\d+/.test(file)) {
    throw new Error(`--release takes a file. For release ${file} run: npx payment-checkout-element@${file} verify ADDRESS`);
  }
  const place = file ?? new URL('../../integrity.json', import.meta.url);
  const release = JSON.parse(await readFile(place, 'utf8').catch(() => {
    throw new Error(`${file ?? 'integrity.json of this package'} cannot be read.`);
  }));
  if (!release?.files || !release.version) throw new Error(`${file} is no integrity.json of a release: it lacks version or files.`);
  return release;
}

function addressOf(/** @type {string[]} */ positionals) {
  if (positionals.length !== 1) throw new Error(`Name one page, as in: payment-checkout-element verify https://shop.example/pay\n\n${USAGE}`);
  const [text] = positionals;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new Error(`${JSON.stringify(text)} is no address of a page: it begins with https:// or http://.`);
  return new URL(text);
}

function headersOf(/** @type {string[]} */ lines) {
  return Object.fromEntries(lines.map((line) => {
    const at = line.indexOf(':');
    if (at < 1) throw new Error(`--header ${JSON.stringify(line)} is no header: write it as 'Name: value'.`);
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  }));
}

const count = (/** @type {Judged[]} */ judged, /** @type {string} */ wanted) => judged.filter(({ verdict }) => verdict === wanted).length;

function exitCode(/** @type {Judged[]} */ judged) {
  if (count(judged, 'different') + count(judged, 'missing') > 0) return DIFFERENT;
  if (count(judged, 'bundled') > 0 || !judged.some(isScriptOfElement)) return UNKNOWN;
  return SAME;
}

const isScriptOfElement = (/** @type {Judged} */ { verdict, name }) => verdict === 'same' && name !== undefined && name.endsWith('.js');

/** @returns {string} */
function report(/** @type {Judged[]} */ judged, /** @type {Release} */ release, /** @type {{ asked: URL, came: URL, hasFrames: boolean }} */ { asked, came, hasFrames }) {
  const lines = [`${came.href}, against release ${release.version}`];
  if (came.href !== asked.href) lines.push(`${asked.href} leads there.`);
  lines.push('');
  for (const { verdict, file, name, reason } of judged) {
    const url = file.url.origin === came.origin ? file.url.pathname + file.url.search : file.url.href;
    const notes = [name, file.pinned && 'pinned by the page', verdict === 'different' && file.hash, reason].filter(Boolean);
    lines.push(`  ${verdict.padEnd(10)} ${url}${notes.length > 0 ? `  (${notes.join(', ')})` : ''}`);
  }
  lines.push('', ...conclusion(judged), '');
  if (hasFrames) lines.splice(-1, 0, 'The page has frames. What a frame loads is not in this list: give its address to this command, too.');
  return `${lines.join('\n')}`;
}

function conclusion(/** @type {Judged[]} */ judged) {
  const others = count(judged, 'other');
  const [different, missing, bundled] = ['different', 'missing', 'bundled'].map((verdict) => count(judged, verdict));
  const end = [];
  if (different > 0) end.push(`${different} of the element's files ${different === 1 ? 'has' : 'have'} other bytes than the release. Find out why before the next payment.`);
  if (missing > 0) end.push(`${missing} of the element's files ${missing === 1 ? 'is' : 'are'} not there. Publish the folder whole.`);
  if (bundled > 0) {
    end.push(
      'The element is bundled into files of the shop\'s own build, which cannot be compared with a release. Compare them with the',
      'files of that build, or serve the folder element of the package as it is.',
    );
  }
  if (end.length === 0 && !judged.some(isScriptOfElement)) {
    end.push(
      'No file of the element was found. Where a script of the page loads it later, name its address: --script ADDRESS. Where the',
      'page needs a session, send it along: --header \'Cookie: …\'.',
    );
  }
  if (end.length === 0) end.push('Every file of the element is the release\'s.');
  if (others > 0) end.push(`${others} other script${others === 1 ? '' : 's'} of the page can do whatever the page can. This command says nothing about them.`);
  return end;
}
