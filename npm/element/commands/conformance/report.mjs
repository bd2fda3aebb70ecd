// What the run prints, and the files that it writes for other programs.

import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from './sandbox.mjs';

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {'must' | 'may'} level
 * @property {string} why
 * @property {string} where
 * @property {'passed' | 'failed' | 'skipped'} outcome
 * @property {string} [expected] of a failed check
 * @property {string} [seen]
 * @property {string} [reason] of a skipped check
 * @property {number} ms
 */

const NAME_WIDTH = 36;

/** @param {Result} result */
export function line({ name, level, outcome, expected, seen, reason, why, where }) {
  const word = outcome === 'failed' && level === 'may' ? 'not met' : outcome;
  const head = `${word.padEnd(8)} ${level.padEnd(5)} ${name.padEnd(NAME_WIDTH)}`;
  if (outcome === 'passed') return head.trimEnd();
  if (outcome === 'skipped') return `${head}  ${reason}`;
  const below = [`expected ${expected}`, `saw      ${seen}`, `${why} ${where}`];
  return [head.trimEnd(), ...below.map((text) => `               ${text}`)].join('\n');
}

/** The guides, in the package and in a clone. */
const DOCS = ['../../docs', '../../../../docs'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** @param {Result[]} results */
export function summary(results) {
  const docs = DOCS.find((folder) => existsSync(folder));
  const places = results.some(({ outcome }) => outcome === 'failed') ? `docs/ is the folder ${docs}\n` : '';
  return places + counts(results);
}

/** @param {Result[]} results */
function counts(results) {
  const parts = /** @type {const} */ (['must', 'may']).map((level) => {
    const count = (/** @type {string} */ outcome) =>
      results.filter((result) => result.level === level && result.outcome === outcome).length;
    const failed = level === 'must' ? 'failed' : 'not met';
    return `${level}: ${count('passed')} passed, ${count('failed')} ${failed}, ${count('skipped')} skipped`;
  });
  return parts.join('; ');
}

/** True if no check of the level *must* failed. @param {Result[]} results */
export const isGreen = (results) => !results.some(({ level, outcome }) => level === 'must' && outcome === 'failed');

/** @param {{json: string, junit: string, base: string}} options @param {Result[]} results */
export function writeFiles({ json, junit, base }, results) {
  if (json) write('--json', json, `${JSON.stringify({ base, green: isGreen(results), results }, undefined, 2)}\n`);
  if (junit) write('--junit', junit, toJunit(base, results));
}

/** @param {string} option @param {string} file @param {string} text */
function write(option, file, text) {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`${option}: ${file} cannot be written (${/** @type {Error} */ (error).message})`);
  }
}

/** JUnit knows no levels: what may be there and is not counts as skipped. @param {string} base @param {Result[]} results */
function toJunit(base, results) {
  const failures = results.filter(({ level, outcome }) => level === 'must' && outcome === 'failed').length;
  const skipped = results.filter(({ outcome }) => outcome !== 'passed').length - failures;
  const cases = results.map(({ name, level, outcome, expected, seen, reason, why, where, ms }) => {
    const open = `    <testcase classname="conformance.${level}" name="${name}" time="${(ms / 1000).toFixed(3)}"`;
    if (outcome === 'passed') return `${open}/>`;
    const found = outcome === 'failed' ? `expected ${expected}, saw ${seen}` : `${reason}`;
    const tag = outcome === 'failed' && level === 'must' ? 'failure' : 'skipped';
    return `${open}>\n      <${tag} message="${escaped(found)}">${escaped(`${why} ${where}`)}</${tag}>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escaped(base)}" tests="${results.length}" failures="${failures}" skipped="${skipped}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** @param {string} text */
function escaped(text) {
  // XML has no control characters, whatever a server answered.
  const printable = Array.from(text, (character) => (character < ' ' ? ' ' : character)).join('');
  return printable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
