#!/usr/bin/env node
// The command of the package: `npx --no-install payment-checkout-element COMMAND`. It runs on Node.js alone, without any dependency.

/**
 * Each command exports `run(arguments)`, which resolves to the exit code.
 * @type {Record<string, { summary: string, load: () => Promise<{ run: (words: string[]) => Promise<number> }> }>}
 */
const COMMANDS = {
  conformance: {
    summary: 'plays payers against your server, and says where it breaks the contract',
    load: () => import('./conformance/main.mjs'),
  },
  verify: {
    summary: 'compares the scripts of a live page with a release',
    load: () => import('./verify/main.mjs'),
  },
};

const USAGE_ERROR = 2;

const [name, ...rest] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
if (command) {
  const { run } = await command.load();
  process.exitCode = await run(rest);
} else {
  const isHelp = name === undefined || name === '--help' || name === 'help';
  const lines = Object.entries(COMMANDS).map(([each, { summary }]) => `  ${each.padEnd(14)}${summary}`);
  const usage = ['payment-checkout-element COMMAND --help', '', ...lines, ''].join('\n');
  if (isHelp) {
    process.stdout.write(usage);
  } else {
    process.stderr.write(`There is no command ${JSON.stringify(name)}.\n${usage}`);
    process.exitCode = USAGE_ERROR;
  }
}
