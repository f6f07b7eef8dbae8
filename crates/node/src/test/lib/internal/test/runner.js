// Many test files, each in a process of its own: `run` of node:test, and `--test`.
//
// From `binding`: cwd, flags, now(), setExitCode(code), writeStderr(text).
'use strict';

const process = require('internal/process');
const path = require('path');
const fs = require('fs');
const { Readable } = require('stream');
const { codes } = require('internal/errors');
const {
  validateAbortSignal, validateArray, validateBoolean, validateFunction, validateNumber, validateObject, validateUint32,
} = require('internal/validators');
const { Counters, publish, unfold } = require('internal/test/events');
const { isChild, readFrame, sinks } = require('internal/test/sinks');
const { isOn, valueOf } = require('internal/flags');

const TIMEOUT_MAX = 2 ** 31 - 1;

/// What a run of files tells: as events of the stream, and as what can be read of it.
class TestsStream extends Readable {
  constructor() {
    super({ __proto__: null, objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER });
  }

  _read() {}

  tell(type, data) {
    const event = publish(type, data);
    this.emit(event.type, event.data);
    this.push(event);
  }

  end() {
    this.push(null);
  }
}

const TEST_FILE = /(?:^test|^test-.+|.+[.\-_]test)\.[cm]?js$/;

/// The test files in a directory and below; all files in one whose name is `test`.
function searchIn(directory, takesAll, found) {
  const all = takesAll || path.basename(directory) === 'test';
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue;
    const name = path.join(directory, entry.name);
    if (entry.isDirectory()) searchIn(name, all, found);
    else if (all ? /\.[cm]?js$/.test(entry.name) : TEST_FILE.test(entry.name)) found.add(name);
  }
}

/// The files that paths mean, in order; undefined if there is nothing at one of them.
function findFiles(paths) {
  const found = new Set();
  for (const given of paths.length === 0 ? ['.'] : paths) {
    const name = path.resolve(given);
    const known = fs.statSync(name, { throwIfNoEntry: false });
    if (known === undefined) {
      binding.writeStderr(`Could not find '${name}'\n`);
      return undefined;
    }
    if (known.isDirectory()) searchIn(name, false, found);
    else found.add(name);
  }
  return [...found].sort();
}

// Flags that are about the run as a whole.
const OF_RUN = /^--(?:no-)?(?:test|test-reporter|test-reporter-destination|test-shard|test-concurrency|watch|watch-path|watch-preserve-output)(?:=|$)/;

const FORCE_EXIT = '--test-force-exit';

/// One file: its process, and what it tells until it is its turn.
class File {
  #told = [];
  #tell;
  #hasTests = false;
  #hasFailures = false;
  #rest = '';
  #isTimedOut = false;

  constructor(name, options) {
    // The name is the one that was given.
    this.name = name;
    this.path = path.resolve(name);
    this.options = options;
  }

  /// Tells all there is, and from now on at once.
  open(tell) {
    this.#tell = tell;
    for (const [type, data] of this.#told.splice(0)) tell(type, data);
  }

  #report(type, data) {
    if (this.#tell === undefined) this.#told.push([type, data]);
    else this.#tell(type, data);
  }

  async run() {
    const about = { nesting: 0, name: this.name, location: { file: this.path, line: 1, column: 1 } };
    this.#report('enqueue', about);
    this.#report('dequeue', about);
    const started = binding.now();
    const { code, signal } = await this.#runProcess();
    const isFailed = code !== 0 || signal !== null;
    const data = { name: this.name, ...about, duration: binding.now() - started };
    const failed = { ...data, error: isFailed ? this.#failure(code, signal) : undefined };
    this.#report('complete', { ...failed, testNumber: this.options.number, passed: !isFailed });
    if (this.#hasTests && (!isFailed || this.#hasFailures) && !this.#isTimedOut) return;
    this.#report('start', about);
    this.#report(isFailed ? 'fail' : 'pass', isFailed ? failed : data);
  }

  #failure(code, signal) {
    if (this.#isTimedOut) return new codes.ERR_TEST_FAILURE(`test timed out after ${this.options.timeout}ms`, 'testTimeoutFailure');
    return Object.assign(new codes.ERR_TEST_FAILURE('test failed', 'testCodeFailure'), { exitCode: code, signal });
  }

  #runProcess() {
    const { timeout, signal: abort, args } = this.options;
    const { spawn } = require('child_process');
    const isWatched = process.env.WATCH_REPORT_DEPENDENCIES !== undefined && process.connected;
    const child = spawn(process.execPath, [...args, ...(isWatched ? ['--watch-preserve-output'] : []), this.path], {
      env: { ...process.env, NODE_TEST_CONTEXT: 'child-v8' }, signal: abort, stdio: ['inherit', 'pipe', 'pipe', ...(isWatched ? ['ipc'] : [])],
    });
    // Whoever watches over the tests hears what they have loaded.
    if (isWatched) child.on('message', (message) => process.send(message));
    let timer;
    if (timeout !== Infinity) {
      timer = require('internal/timers').setTimeout(() => {
        this.#isTimedOut = true;
        child.kill('SIGTERM');
      }, timeout);
    }
    child.stdout.setEncoding('utf8').on('data', (text) => this.#take(text));
    child.stderr.setEncoding('utf8').on('data', (message) => this.#report('stderr', { file: this.name, message }));
    return new Promise((resolve) => {
      child.on('error', () => {});
      child.on('close', (code, signal) => {
        if (timer !== undefined) require('internal/timers').clearTimeout(timer);
        this.#take('\n');
        resolve({ code, signal });
      });
    });
  }

  // Lines that are events, and others, which stay as they are.
  #take(text) {
    const lines = `${this.#rest}${text}`.split(/(?<=\n)/);
    this.#rest = lines.at(-1).endsWith('\n') ? '' : lines.pop();
    let message = '';
    for (const line of lines) {
      const event = readFrame(line.trimEnd());
      if (event === undefined) {
        message += line;
        continue;
      }
      this.#print(message);
      message = '';
      this.#hasTests = true;
      this.#hasFailures ||= event.type === 'fail' && event.data.todo === undefined;
      this.#report(event.type, event.data);
    }
    this.#print(message);
  }

  #print(message) {
    if (message.trim() !== '') this.#report('stdout', { file: this.name, message });
  }
}

/// Runs files, so many at a time, and tells of them in their order.
async function runFiles(files, options, stream) {
  const counters = new Counters();
  const started = binding.now();
  let topLevel = 0;
  const tell = (type, data) => {
    if (type === 'pass' || type === 'fail') {
      counters.count(type, data);
      if (type === 'fail' && data.todo === undefined) options.failed?.();
      if (data.nesting === 0) data = { ...data, testNumber: ++topLevel };
    }
    stream.tell(type, data);
  };
  const waiting = [...files];
  const runs = new Map(files.map((file) => [file, Promise.withResolvers()]));
  const work = async () => {
    for (let file; (file = waiting.shift()) !== undefined;) {
      await file.run();
      runs.get(file).resolve();
    }
  };
  for (let count = Math.min(options.concurrency, files.length); count > 0; count--) work();
  for (const file of files) {
    file.open(tell);
    await runs.get(file).promise;
  }
  stream.tell('plan', { nesting: 0, count: topLevel });
  for (const message of counters.summary(binding.now() - started)) stream.tell('diagnostic', { nesting: 0, message });
  stream.end();
}

const cores = () => Math.max(require('os').availableParallelism() - 1, 1);

function concurrencyOf(concurrency) {
  if (concurrency === undefined || concurrency === null) return 1;
  if (typeof concurrency === 'boolean') return concurrency ? cores() : 1;
  if (typeof concurrency !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('options.concurrency', ['boolean', 'number'], concurrency);
  validateUint32(concurrency, 'options.concurrency', true);
  return concurrency;
}

function shardOf(files, shard) {
  if (shard === undefined || shard === null) return files;
  validateObject(shard, 'options.shard');
  const { index, total } = shard;
  require('internal/validators').validateInteger(total, 'options.shard.total', 1);
  require('internal/validators').validateInteger(index, 'options.shard.index', 1, total);
  return files.filter((_, at) => at % total === index - 1);
}

function patternsOf(patterns) {
  if (patterns === undefined || patterns === null) return [];
  return (Array.isArray(patterns) ? patterns : [patterns]).map((pattern) => `--test-name-pattern=${pattern}`);
}

/// `run` of node:test.
exports.run = function run(options = undefined) {
  const given = options ?? {};
  validateObject(given, 'options');
  const { files, forceExit, only, setup, shard, signal, testNamePatterns, timeout } = given;
  if (files !== undefined && files !== null) validateArray(files, 'options.files');
  if (forceExit !== undefined && forceExit !== null) validateBoolean(forceExit, 'options.forceExit');
  if (setup !== undefined && setup !== null) validateFunction(setup, 'options.setup');
  if (timeout !== undefined && timeout !== null && timeout !== Infinity) validateNumber(timeout, 'options.timeout', 0, TIMEOUT_MAX);
  validateAbortSignal(signal, 'options.signal');
  const concurrency = concurrencyOf(given.concurrency);
  const stream = new TestsStream();
  if (isChild()) {
    process.emitWarning('node:test run() is being called recursively within a test file. skipping running files.');
    stream.end();
    return stream;
  }
  const found = files === undefined || files === null ? findFiles([]) : files;
  const args = [
    ...binding.flags.filter((flag) => !OF_RUN.test(flag)), ...(only ? ['--test-only'] : []), ...(forceExit ? [FORCE_EXIT] : []),
    ...patternsOf(testNamePatterns),
  ];
  const all = shardOf(found, shard).map((name, at) => new File(name, { args, number: at + 1, signal, timeout: timeout ?? Infinity }));
  const begin = async () => {
    await setup?.(stream);
    await runFiles(all, { concurrency, failed: given.failed }, stream);
  };
  Promise.resolve().then(begin).catch((error) => stream.destroy(error));
  return stream;
};

function shardFlag() {
  const shard = valueOf('--test-shard');
  if (shard === undefined) return undefined;
  const [, index, total] = /^(\d+)\/(\d+)$/.exec(shard) ?? [];
  if (index === undefined) throw new codes.ERR_INVALID_ARG_VALUE('--test-shard', shard, 'must be in the form of <index>/<total>');
  return { index: Number(index), total: Number(total) };
}

// Who ends the run from outside ends the files that run as well.
function interrupted() {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) {
    process.once(name, () => {
      controller.abort();
      process.exit(1);
    });
  }
  return controller.signal;
}

/// `--test`: the files that the command line names, or all there are.
exports.main = async function main() {
  const files = findFiles(process.argv.slice(1));
  if (files === undefined) {
    binding.setExitCode(1);
    return;
  }
  const reports = sinks();
  const concurrency = valueOf('--test-concurrency');
  const timeout = valueOf('--test-timeout');
  const signal = interrupted();
  // The report begins before the first result, which may take long or never come.
  for (const report of reports) report.take([]);
  const stream = exports.run({
    concurrency: concurrency === undefined ? true : Number(concurrency),
    failed: () => binding.setExitCode(1),
    files,
    shard: shardFlag(),
    signal,
    timeout: timeout === undefined ? Infinity : Number(timeout),
  });
  for await (const event of stream) {
    const [type, data] = unfold(event);
    for (const report of reports) report.take([{ type, data }]);
  }
  for (const report of reports) report.take([{ type: 'end', data: {} }]);
  await Promise.all(reports.map((report) => report.close()));
  if (isOn(FORCE_EXIT)) process.exit();
};
