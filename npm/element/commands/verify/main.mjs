// `payment-checkout-element verify`: compares what a live page loads with a release.

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Files } from './files.mjs';
import { inventory } from './inventory.mjs';
import { judge } from './judge.mjs';
import { pinning } from './pinning.mjs';
import { exitCode, printable, report } from './report.mjs';

/** @import { Release } from './judge.mjs' */

const USAGE = `payment-checkout-element verify ADDRESS [options]

Downloads the page at ADDRESS as a browser without a session gets it, with its scripts and what they import, and compares
the files of the element with those of this package's release. For another release run this command from the package of the
release whose file you hold: a package from elsewhere proves nothing.

  --script ADDRESS   a file that the page loads and does not name, such as the chunk of a router; more than once
  --header 'N: V'    a header for the origin of ADDRESS and no other, such as a cookie; more than once
  --release FILE     another integrity.json than this package's
  --inventory        prints a list of all scripts of the page as CSV instead of a report
  --import-map AT    no page: prints an import map that pins the files, what the page's policy needs for it, and lines that
                     preload, for a page that serves the folder element at AT

  same        these bytes are the release's
  different   a file of the element has other bytes, or an import map leads its address to other bytes
  missing     a file of the element is not there
  refused     a file of the element is the release's, and browsers do not run it: the page demands another hash, or blocks it
  broken      an import map that browsers ignore
  bundled     the element, or a part of it, is inside a file of the shop's own build, whose bytes no release has
  inline      code that stands in the page
  other       a script that is no file of the release

Exit code 0: every file of the element is the release's. 1: a file is different, missing or refused, or an import map is broken.
2: that cannot be said.
`;

const [DONE, UNKNOWN] = [0, 2];

/** @returns {Promise<number>} the exit code */
export async function run(/** @type {string[]} */ words) {
  try {
    return await verify(words);
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message.split('\n').map(printable).join('\n')}\n`);
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
    return DONE;
  }
  const release = await releaseOf(values.release);
  if (values['import-map'] !== undefined) {
    process.stdout.write(pinning(release, values['import-map']));
    return DONE;
  }
  const address = addressOf(positionals);
  const files = new Files(headersOf(values.header));
  const { page, loaded } = await files.page(address);
  if (loaded.status !== 200) throw new Error(`${loaded.url.href}: ${loaded.reason || `the server answers ${loaded.status}, and no page`}`);
  if (!/html|^$/.test(loaded.type)) {
    throw new Error(`${loaded.url.href} is no HTML page: it comes as ${loaded.type}. Name the page that has the checkout.`);
  }
  const more = values.script.map((script) => new URL(script, loaded.url));
  const judged = await judge(await files.all(page, more), { page, more, release, files });
  const findings = { judged, page, release, asked: address, came: loaded.url, hasHeaders: values.header.length > 0 };
  process.stdout.write(values.inventory ? inventory(findings) : report(findings));
  return exitCode(findings);
}

/** @returns {Promise<Release>} */
async function releaseOf(/** @type {string | undefined} */ file) {
  if (file && /^\d+\.\d+\.\d+/.test(file)) {
    throw new Error(`--release takes a file. For release ${file} run this command from the package of the release whose file you hold.`);
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
