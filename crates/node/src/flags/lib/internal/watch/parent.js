// `--watch` and `--watch-path`: the program in a process of its own, started again when a file changes.
//
// From `binding`: entry, exit(code), flags, writeStderr(text), writeStdout(text), isTerminal(1).
'use strict';

const process = require('internal/process');
const path = require('path');
const fs = require('fs');
const { isOn, valuesOf } = require('internal/flags');

// How a process ends whose command line cannot be followed.
const WRONG = 9;
// Changes that come together are one.
const PAUSE_MS = 200;
const OF_WATCHING = /^--(?:watch|watch-path|watch-preserve-output)(?:=|$)/;
const CLEAR = '\u001bc';

/// Files and directories that are looked at; `changed` is called when one of them is written.
class Watched {
  #changed;
  // What was written since the program began and is not known to be a part of it, or not yet.
  #early = new Set();
  #files = new Set();
  #watchers = new Map();

  constructor(changed) {
    this.#changed = changed;
  }

  /// A file. Its directory is what is looked at: who writes a file may put another in its place.
  addFile(file) {
    if (this.#files.has(file)) return;
    this.#files.add(file);
    this.#look(path.dirname(file), false);
    if (this.#early.has(file)) this.#changed();
  }

  /// The program begins, and reads everything anew.
  begins() {
    this.#early.clear();
  }

  /// A path, with all that is below.
  addPath(name) {
    const known = fs.statSync(name, { throwIfNoEntry: false });
    if (known === undefined) {
      binding.writeStderr(`hemiola: --watch-path: there is no ${name}\n`);
      binding.exit(WRONG);
    }
    if (known.isDirectory()) this.#look(name, true);
    else this.addFile(name);
  }

  #look(directory, recursive) {
    if (this.#watchers.has(directory)) return;
    const tell = (_, name) => {
      const file = name === null ? undefined : path.join(directory, name);
      if (recursive || file === undefined || this.#files.has(file)) this.#changed();
      else this.#early.add(file);
    };
    // A directory that goes away has nothing to tell any more.
    this.#watchers.set(directory, fs.watch(directory, { recursive }, tell).on('error', () => {}));
  }
}

/// Starts the program, and again whenever something changes.
exports.run = function run() {
  const { file } = binding.entry;
  const isTest = isOn('--test');
  if (file === undefined && !isTest) {
    binding.writeStderr('hemiola: either --watch or --eval can be used, not both\n');
    binding.exit(WRONG);
  }
  const given = process.argv.slice(isTest ? 1 : 2);
  const words = isTest ? given : [file, ...given];
  const shown = words.join(' ') || 'tests';
  const flags = binding.flags.filter((flag) => !OF_WATCHING.test(flag));
  const paths = valuesOf('--watch-path');
  const keepsOutput = isOn('--watch-preserve-output') || !binding.isTerminal(1);
  const say = (what) => binding.writeStdout(`${what} '${shown}'\n`);

  let child;
  let timer;
  let wasChanged = false;
  const restart = () => {
    timer = undefined;
    if (!keepsOutput) binding.writeStdout(CLEAR);
    say('Restarting');
    if (child === undefined) start();
    else child.kill('SIGTERM');
  };
  const watched = new Watched(() => {
    const { clearTimeout, setTimeout } = require('internal/timers');
    wasChanged = true;
    if (timer !== undefined) clearTimeout(timer);
    timer = setTimeout(restart, PAUSE_MS);
  });
  const start = () => {
    wasChanged = false;
    watched.begins();
    const { spawn } = require('child_process');
    child = spawn(process.execPath, [...flags, '--watch-preserve-output', ...words], {
      env: { ...process.env, WATCH_REPORT_DEPENDENCIES: '1' }, stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    if (paths.length === 0) {
      child.on('message', (message) => {
        for (const loaded of message?.['watch:import'] ?? []) watched.addFile(loaded);
      });
    }
    child.on('exit', (code) => {
      child = undefined;
      if (isEnding) binding.exit(0);
      else if (wasChanged && timer === undefined) start();
      else say(code === 0 ? 'Completed running' : 'Failed running');
    });
  };
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      isEnding = true;
      if (child === undefined) binding.exit(0);
      else child.kill(signal);
    });
  }
  for (const name of paths) watched.addPath(path.resolve(name));
  if (paths.length === 0 && !isTest) watched.addFile(path.resolve(file));
  start();
};
