#!/usr/bin/env node
// Starts the sandbox that npm installed for this kind of machine, with the same arguments, signals and exit code.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const kind = `${process.platform}-${process.arch}`;
const name = `payment-checkout-sandbox-${kind}`;
const program = process.platform === 'win32' ? 'payment-sandbox.exe' : 'payment-sandbox';

let path;
try {
  path = createRequire(import.meta.url).resolve(`${name}/${program}`);
} catch {
  console.error(
    `The sandbox for ${kind} is not installed: the package ${name} is missing. Install its file of the same release beside ` +
      'this one. Where a release has none, `cargo install --path crates/sandbox/payment-sandbox --locked` in a clone builds the program.',
  );
  process.exit(1);
}

const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
  console.error(`${path} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
