#!/usr/bin/env node
// Finds the binary for this computer and starts it. npm installs it as one of the packages in
// optionalDependencies: the one whose `os`, `cpu` and `libc` fit.
'use strict';
const { spawn } = require('node:child_process');
const { constants } = require('node:os');

function fail(message, help) {
  process.stderr.write(`error: ${message}\n${help.map((line) => `help: ${line}\n`).join('')}`);
  process.exit(2);
}

function find() {
  if (process.env.HEMIOLA_BINARY) return process.env.HEMIOLA_BINARY;
  const platform = `${process.platform}-${process.arch}`;
  const name = `hemiola-${platform}`;
  try {
    return require.resolve(`${name}/bin/hemiola`);
  } catch {
    const build = 'build it from its source with cargo, and name the binary in HEMIOLA_BINARY';
    const known = Object.keys(require('../package.json').optionalDependencies);
    if (!known.includes(name)) {
      const platforms = known.map((name) => name.slice('hemiola-'.length)).join(', ');
      fail(`there is no hemiola for ${platform}, only for ${platforms}`, [build]);
    }
    fail(`the package ${name} is not installed`, [
      'npm leaves it out with --omit=optional, and on systems without glibc (such as Alpine): install again without that',
      build,
    ]);
  }
}

const binary = find();
const child = spawn(binary, process.argv.slice(2), { stdio: 'inherit' });
// A terminal sends SIGINT to both; whoever else ends this process means the program.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(`cannot start ${binary}: ${error.code ?? error.message}`, ['install the package again']));
child.on('exit', (status, signal) => {
  if (signal === null) process.exit(status);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // A signal that does not end this process is told as a shell tells it.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
});
