// Packs the sandbox for npm: `node npm/sandbox/pack.mjs PROGRAM VERSION FOLDER` writes into FOLDER the package of this
// machine's kind, which has the program and THIRD-PARTY-LICENSES.txt from beside it, and the package that starts the right
// one. It runs on every system for which the sandbox is built.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

const [program, version, folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node npm/sandbox/pack.mjs PROGRAM VERSION FOLDER');
  process.exit(2);
}
const source = import.meta.dirname;
const licences = ['LICENSE-APACHE', 'LICENSE-MIT'].map((name) => join(source, '../..', name));
const thirdParty = join(dirname(program), 'THIRD-PARTY-LICENSES.txt');
const starter = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
const { description, license } = starter;
/** @type {Record<string, string>} */
const names = JSON.parse(readFileSync(join(source, '../../crates/build/xtask/names.json'), 'utf8')).npm;
/** npm publishes no private package. */
const guarded = (manifest) => ({ ...manifest, private: names[manifest.name] === 'ours' ? undefined : true });

function pack(files, manifest) {
  const work = mkdtempSync(join(tmpdir(), 'sandbox-package-'));
  try {
    for (const file of files) copyFileSync(file, join(work, basename(file)));
    for (const file of ['start.mjs', 'payment-sandbox']) {
      if (files.some((one) => basename(one) === file)) chmodSync(join(work, file), 0o755);
    }
    writeFileSync(join(work, 'package.json'), `${JSON.stringify(guarded(manifest), null, 2)}\n`);
    // On Windows npm is a script, which needs a shell.
    execFileSync('npm', ['pack', '--silent', '--pack-destination', resolve(folder)], {
      cwd: work,
      shell: process.platform === 'win32',
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  } finally {
    rmSync(work, { recursive: true });
  }
}

mkdirSync(folder, { recursive: true });
const name = `${starter.name}-${process.platform}-${process.arch}`;
if (!Object.hasOwn(names, name)) {
  console.error(`crates/build/xtask/names.json does not list ${name}`);
  process.exit(1);
}
pack([program, thirdParty, ...licences], {
  name,
  version,
  description: `${description}: the program for ${process.platform} on ${process.arch}`,
  license,
  os: [process.platform],
  cpu: [process.arch],
  files: [program, thirdParty, ...licences].map((file) => basename(file)),
});
// npm asks the registry for each, and installs what it finds there.
const programs = Object.keys(names).filter((one) => one.startsWith(`${starter.name}-`) && names[one] === 'ours');
const optionalDependencies = Object.fromEntries(programs.map((one) => [one, version]));
pack([join(source, 'start.mjs'), join(source, 'README.md'), ...licences], { ...starter, version, optionalDependencies });
