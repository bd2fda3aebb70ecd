// What the command says about a page.

/** @import { Judged, Release } from './judge.mjs' */
/** @import { Inline, Page } from './page.mjs' */

/** @typedef {{ judged: Judged[], page: Page, release: Release, asked: URL, came: URL, hasHeaders: boolean }} Findings */

const [SAME, DIFFERENT, UNKNOWN] = [0, 1, 2];

/** The most of an address that is shown: one that begins with `data:` has a whole script in it. */
const LONGEST = 100;

const count = (/** @type {Judged[]} */ judged, /** @type {string} */ wanted) => judged.filter(({ verdict }) => verdict === wanted).length;
const many = (/** @type {number} */ number, /** @type {string} */ thing) => `${number} ${thing}${number === 1 ? '' : 's'}`;
const isScriptOfElement = (/** @type {Judged} */ { verdict, name }) => verdict === 'same' && name !== undefined && name.endsWith('.js');
const faultsOf = (/** @type {Page} */ { inline }) => inline.filter(({ fault }) => fault !== undefined);

export const shown = (/** @type {string} */ address) => (address.startsWith('data:') && address.length > LONGEST ? `${address.slice(0, LONGEST)}…` : address);

/** A text of one line without what moves a terminal's cursor or turns its text around: a part of it may be from the page. */
export const printable = (/** @type {string} */ text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');

/** The code that stands in a page, each with a name such as `script 1`. */
export function inlineOf(/** @type {Inline[]} */ inline) {
  const numbers = { script: 0, 'import map': 0 };
  return inline.map(({ kind, hash, fault }) => {
    numbers[kind] += 1;
    return { name: `${kind} ${numbers[kind]}`, kind, hash, fault };
  });
}

export function exitCode(/** @type {Findings} */ { judged, page }) {
  if (judged.some(({ verdict }) => ['different', 'missing', 'refused'].includes(verdict)) || faultsOf(page).length > 0) return DIFFERENT;
  if (count(judged, 'bundled') > 0 || !judged.some(isScriptOfElement)) return UNKNOWN;
  return SAME;
}

/** @returns {string} */
export function report(/** @type {Findings} */ findings) {
  const { judged, page, release, asked, came } = findings;
  const lines = [`${came.href}, against release ${release.version}`];
  if (came.href !== asked.href) lines.push(`${asked.href} leads there.`);
  lines.push('');
  const row = (/** @type {string} */ verdict, /** @type {string} */ what, /** @type {(string | false | undefined)[]} */ notes) => {
    const said = notes.filter(Boolean).join(', ');
    lines.push(`  ${verdict.padEnd(10)} ${what}${said && `  (${said})`}`);
  };
  for (const { verdict, file, name, reason } of judged) {
    const url = file.url.protocol !== 'data:' && file.url.origin === came.origin ? file.url.pathname + file.url.search : shown(file.url.href);
    row(verdict, url, [name, file.pinned && 'pinned by the page', verdict === 'different' && `has ${file.hash}`, reason]);
  }
  for (const { name, hash, fault } of inlineOf(page.inline)) row(fault ? 'broken' : 'inline', name, [hash, fault]);
  if (page.handlers > 0) row('inline', `${many(page.handlers, 'attribute')} with code, such as onclick`, []);
  lines.push('', ...conclusion(findings), ...remarks(findings));
  lines.push('This command sees what the server sends to this machine, and no service worker that a browser keeps.', '');
  return lines.map(printable).join('\n');
}

function conclusion(/** @type {Findings} */ { judged, page }) {
  const found = judged.filter(({ file }) => file.status !== 404);
  const others = count(found, 'other') + page.inline.filter(({ kind }) => kind === 'script').length;
  const [different, missing, refused, bundled] = ['different', 'missing', 'refused', 'bundled'].map((verdict) => count(judged, verdict));
  const end = [];
  if (different > 0) {
    end.push(`${different} of the element's files ${different === 1 ? 'has' : 'have'} other bytes than the release. Find out why before the next payment.`);
  }
  if (missing > 0) end.push(`${missing} of the element's files ${missing === 1 ? 'is' : 'are'} not there. Publish the folder whole.`);
  if (refused > 0) end.push(`Browsers do not run ${refused} of the element's files, for the reason beside ${refused === 1 ? 'it' : 'each'}. Correct the page.`);
  if (faultsOf(page).length > 0) end.push('Browsers ignore a broken import map, with its names and hashes. Correct it, or take it out.');
  if (bundled > 0) {
    end.push(
      'The element is bundled into files of the shop\'s own build, which cannot be compared with a release; files of that build that',
      'are listed as other may be parts of it, too. Compare them with the build, or serve the folder element of the package as it is.',
    );
  }
  if (end.length === 0 && !judged.some(isScriptOfElement)) {
    end.push(
      'No file of the element was found. Where a script of the page loads it later, name its address: --script ADDRESS. Where the',
      'page needs a session, send it along: --header \'Cookie: …\'.',
    );
  }
  if (end.length === 0) end.push('Every file of the element is the release\'s.');
  const code = [others > 0 && many(others, 'other script'), page.handlers > 0 && `${many(page.handlers, 'attribute')} with code`].filter(Boolean);
  if (code.length > 0) end.push(`${code.join(' and ')} of the page can do whatever the page can. This command says nothing about them.`);
  return end;
}

function remarks(/** @type {Findings} */ { page, asked, came, hasHeaders }) {
  const said = new Set(page.remarks);
  const isHere = /^(?:127\.|\[::1\]$)|(?:^|\.)localhost$/.test(came.hostname);
  if (came.protocol === 'http:' && !isHere) said.add('The page comes by http: whoever is between server and payer can change it. Serve it by https.');
  if (hasHeaders && came.origin !== asked.origin) said.add(`--header was sent to ${asked.origin} only. If the page needs it, name ${came.href}.`);
  return said;
}
