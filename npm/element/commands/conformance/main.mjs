// The conformance run: plays payers against a merchant's server, with the sandbox of the payment service behind it.

import { checks } from './checks/index.mjs';
import { Broken, Skipped } from './expectations.mjs';
import { HELP, read } from './options.mjs';
import { isGreen, line, summary, writeFiles } from './report.mjs';
import { Sandbox, UsageError } from './sandbox.mjs';
import { Shop } from './shop.mjs';

/** @typedef {import('./report.mjs').Result} Result */
/** @typedef {import('./checks/index.mjs').Check} Check */

/** Without it nothing else can be played. */
const GATE = 'start';
const GREEN = 0;
const BROKEN = 1;
const USAGE_ERROR = 2;
const INTERRUPTED = 130;

/** @param {string[]} words the arguments @returns {Promise<number>} the exit code */
export async function run(words) {
  const interruption = new AbortController();
  const interrupt = () => {
    // Whoever presses twice does not wait for the sandbox.
    if (interruption.signal.aborted) process.exit(INTERRUPTED);
    interruption.abort();
  };
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM']);
  for (const signal of signals) process.on(signal, interrupt);
  // The reader of the output may go, as `head` does. The sandbox is put back all the same.
  process.stdout.on('error', () => interruption.abort());
  try {
    const options = read(words);
    if (options === 'help') {
      process.stdout.write(HELP);
      return GREEN;
    }
    if (options === 'list') {
      print(checks.map(({ name, level, why, where }) => `${level}  ${name}  ${why}  ${where}`).join('\n'));
      return GREEN;
    }
    const results = await play(options, interruption.signal);
    print(summary(results));
    writeFiles(options, results);
    return isGreen(results) ? GREEN : BROKEN;
  } catch (error) {
    if (interruption.signal.aborted) return INTERRUPTED;
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return USAGE_ERROR;
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

/**
 * Plays the chosen checks one after the other, and puts the sandbox back, whatever happened.
 * @param {import('./options.mjs').Options} options
 * @param {AbortSignal} signal
 */
async function play(options, signal) {
  const chosen = choose(options.only);
  const sandbox = new Sandbox(options.sandbox);
  const shop = new Shop(options, sandbox, signal);
  if (!(await shop.answers())) {
    throw new UsageError(`${options.base} does not answer (${shop.silence}). Start your server, and give its address.`);
  }
  /** @type {Result[]} */
  const results = [];
  await sandbox.open();
  await shop.findToken();
  try {
    for (const [at, check] of chosen.entries()) {
      const result = await playOne(check, shop);
      results.push(result);
      print(line(result));
      if (check.name === GATE && result.outcome === 'failed') {
        const rest = chosen.slice(at + 1).map((each) => ({ ...known(each), ...skipped(`${GATE} failed`), ms: 0 }));
        if (rest.length > 0) print(`${rest.length} checks were skipped, since no start works`);
        return [...results, ...rest];
      }
      await sandbox.restore();
    }
  } finally {
    await sandbox.restore();
  }
  return results;
}

/** @param {Check} check */
const known = ({ name, level, why, where }) => ({ name, level, why, where });

/** @param {string} reason */
const skipped = (reason) => ({ outcome: /** @type {const} */ ('skipped'), reason });

/** @param {Check} check @param {Shop} shop @returns {Promise<Result>} */
async function playOne(check, shop) {
  const started = performance.now();
  const found = await outcomeOf(check, shop);
  return { ...known(check), ...found, ms: Math.round(performance.now() - started) };
}

/** @param {Check} check @param {Shop} shop */
async function outcomeOf(check, shop) {
  const played = await caught(shop, () => check.run(shop));
  const tidied = await caught(shop, () => shop.tidy());
  // What a failed check leaves behind says nothing more.
  return played.outcome === 'passed' ? tidied : played;
}

/** @param {Shop} shop @param {() => Promise<void>} work @returns {Promise<Pick<Result, 'outcome' | 'expected' | 'seen' | 'reason'>>} */
async function caught(shop, work) {
  try {
    await work();
    return { outcome: 'passed' };
  } catch (error) {
    if (error instanceof Broken) return { outcome: 'failed', expected: error.expected, seen: error.seen };
    if (error instanceof Skipped) return skipped(error.message);
    if (error instanceof UsageError || shop.signal.aborted) throw error;
    return { outcome: 'failed', expected: 'answers in the form of the contract', seen: String(error) };
  }
}

/** @param {string[]} names */
function choose(names) {
  for (const name of names) {
    if (!checks.some((check) => isNamed(check.name, name))) {
      throw new UsageError(`--only: there is no check ${name}; --list has all of them.`);
    }
  }
  return checks.filter((check) => names.length === 0 || names.some((name) => isNamed(check.name, name)));
}

/** @param {string} name @param {string} pattern */
const isNamed = (name, pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern);

/** @param {string} text */
const print = (text) => process.stdout.write(`${text}\n`);
