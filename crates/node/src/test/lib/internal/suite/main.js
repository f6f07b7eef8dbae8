// A test file from its start to its end: setup files, the file itself, its tests, and what is left behind.
// Uses binding.testSettings, setExitCode.
'use strict';

const process = require('internal/process');
const failures = require('internal/suite/failures');
const project = require('internal/suite/project');
const report = require('internal/suite/report');
const { clearTimeout, guards: { setTimeout } } = require('internal/timers');

// How long something may keep a file alive whose tests are over.
const PATIENCE_MS = 500;
// How long nothing of node:test may run until its tests are over.
const NODE_PATIENCE_MS = 2000;

// Test files replace this.
const { exit } = process;

let phase = 'load';
let resting;

exports.run = function run(file) {
  const settings = JSON.parse(binding.testSettings());
  settings.file = file;
  project.settings = settings;
  if (settings.configuration || settings.around) require('internal/suite/globals').defineModuleParts();
  if (settings.configuration) {
    require('internal/suite/resolve').install(settings);
    require('internal/suite/configuration').read(settings.root).then(
      (configuration) => report.tell('configuration', { configuration }),
      (error) => report.broken(failures.of(error))).finally(() => process.exit());
    return;
  }
  if (settings.around) {
    surround(settings);
    require('internal/suite/resolve').install(settings);
    require('internal/suite/around').run(settings);
    return;
  }
  arrange(settings);
  report.tell('load', {});
  through(settings, file).catch((error) => {
    report.broken(failures.of(error));
    end();
  });
};

let isArranged = false;

function arrange(settings) {
  if (isArranged) return;
  isArranged = true;
  surround(settings);
  require('internal/suite/globals').install(settings);
  require('internal/suite/resolve').install(settings);
  process.on('exit', left);
  if (settings.explore) process.on('beforeExit', stuck);
  process.on('uncaughtException', stray);
  process.on('unhandledRejection', stray);
}

/// Does what comes before a file and is the same for all of its tests. Whoever runs them many times has this done once.
/// Gives whether no other file is loaded before it.
exports.prepare = function prepare() {
  const settings = JSON.parse(binding.testSettings());
  arrange(settings);
  const { configuration, around, setup = [], snapshotSerializers = [] } = settings;
  return !configuration && !around && setup.length === 0 && snapshotSerializers.length === 0;
};

// What test files find in their environment under the runners that they are written for.
function surround({ env: variables = {}, flavour, globalValues = {} }) {
  const { env } = process;
  for (const [name, value] of Object.entries(variables)) env[name] = `${value}`;
  for (const [name, value] of Object.entries(globalValues)) globalThis[name] = value;
  env.NODE_ENV ??= 'test';
  if (flavour === 'vitest') {
    project.nameVariables();
  } else if (flavour === 'jest') {
    env.JEST_WORKER_ID ??= '1';
  }
}

async function through(settings, file) {
  const { load } = require('internal/modules/entry');
  const { setup = [], snapshotSerializers = [] } = settings;
  for (const name of snapshotSerializers) {
    const { default: serializer } = await import(binding.fileUrl(name));
    require('internal/expect/expect').expect.addSnapshotSerializer(serializer.default ?? serializer);
  }
  for (const name of setup) {
    await load(name);
    if (settings.flavour === 'mocha') await require('internal/suite/root_hooks').take(name);
  }
  await load(file, setup.length === 0);
  const { collected } = require('internal/suite/tree');
  const root = await collected();
  if (root.children.length === 0) {
    plain();
    return;
  }
  phase = 'run';
  const { Runner } = require('internal/suite/run');
  const runner = new Runner(settings, require('internal/suite/select').selection(settings, root));
  if (settings.list) {
    runner.list(root);
    end();
    return;
  }
  await runner.suite(root);
  require('internal/suite/snapshots').finish();
  end();
}

// A file without tests of ours has those of node:test, or is a test itself: it passes if it ends well.
function plain() {
  if (require('internal/test/harness').isUsed()) {
    phase = 'node';
    return;
  }
  const { flavour } = project.settings;
  // mocha only loads such a file; jest and vitest do not let it pass.
  if (flavour === 'mocha') {
    end();
    return;
  }
  if (flavour === 'jest' || flavour === 'vitest') {
    report.broken(failures.of(new Error('the file has no tests. Declare one, or keep the file out of those that the configuration takes for tests')));
    end();
    return;
  }
  phase = 'plain';
  report.tell('plain', {});
}

/// No test of node:test runs. If none does for long, though something keeps the process alive, `over` is called: more
/// tests may be declared as long as the file is being loaded, and for a while after that.
exports.nodeRests = function nodeRests(rests, over) {
  if (project.settings.explore) return;
  if (resting !== undefined) clearTimeout(resting);
  resting = setTimeout(() => {
    if (phase === 'load') nodeRests(rests, over);
    else if (phase === 'node' && rests()) over();
  }, NODE_PATIENCE_MS);
  resting.unref();
};

/// The tests of node:test are over.
exports.nodeEnded = function nodeEnded() {
  end();
};

function end() {
  phase = 'over';
  if (report.isFailed) binding.setExitCode(1);
  report.tell('done', {});
  // Whoever tries every order of one test is done with the test.
  if (project.settings.explore) exit();
  // What is left over must not keep the others waiting.
  const timer = setTimeout(() => {
    const kept = process.getActiveResourcesInfo().filter((name) => name !== 'TTYWrap' && name !== 'PipeWrap');
    report.tell('left', { resources: kept });
    process.exit();
  }, PATIENCE_MS);
  timer.unref();
  process.on('exit', () => clearTimeout(timer));
}

// An error that nobody caught.
function stray(error) {
  // node:test looks after its own.
  if (phase !== 'over' && require('internal/test/harness').isUsed()) return;
  if (phase === 'plain') {
    report.broken(failures.of(error));
    binding.setExitCode(1);
    return;
  }
  if (phase === 'run' && require('internal/suite/run').interrupt(error)) return;
  report.broken(failures.of(error));
  binding.setExitCode(1);
  // Nobody is left to wait for what the file was doing.
  if (phase === 'load') end();
}

// Nothing is left that could happen, though the tests are not over. Where every order is tried they have no limits,
// so this is how one ends that waits for what never comes.
function stuck() {
  if (phase !== 'load' && phase !== 'run') return;
  const test = phase === 'run' ? require('internal/suite/run').current()?.test : undefined;
  const what = phase === 'load' ? 'the file' : test === undefined ? 'a hook' : 'the test';
  const error = new Error(`${what} waits for something that never comes`);
  const { file, line, column } = test?.location ?? project.settings.at ?? {};
  error.stack = `Error: ${error.message}${file === undefined ? '' : `\n    at ${file}:${line}:${column}`}`;
  if (test !== undefined && require('internal/suite/run').interrupt(error)) return;
  report.broken(failures.of(error));
  end();
}

// The process ends. If the tests are not over, one of them has ended it.
function left(code) {
  if (phase === 'over' || phase === 'plain') return;
  const attempt = phase === 'run' ? require('internal/suite/run').current() : undefined;
  report.tell('exit', { code: process.exitCode ?? code, phase, test: attempt?.test.path });
}
