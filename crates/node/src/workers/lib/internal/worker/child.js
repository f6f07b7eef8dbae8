// A worker seen from inside: what it gets from its parent before its first line runs.
//
// Takes from `binding`: workerInfo, perform, entry, env, parentChannel, and gives others `reportUncaught`, `workerState`.
'use strict';

const process = require('internal/process');
const { Link, read } = require('internal/messaging/remote');
const { adoptPort } = require('internal/messaging/port');

// The channel to the parent that programs do not see.
let control;
let streams;
// How many streams wait for the parent to read.
let waiting = 0;

/// Sets the worker up. Called before anything of the program.
function prepare() {
  const { port } = binding.workerInfo();
  const { value: load } = read(binding.perform('port.take', [port]));
  control = adoptPort((inbox) => new Link(inbox, port));
  control.on('message', onControl);
  control.unref();
  require('internal/messaging/broadcast').connectAll();
  binding.workerState = load;
  process.argv = [process.argv[0], load.scriptName, ...load.argv];
  if (load.environment !== undefined) require('internal/process/env').share(load.environment);
  // What hooks write is not kept waiting until the program's thread has time for it.
  if (load.hooks === undefined) setStreams(load.hasStdin);
  restrictProcess();
  binding.reportUncaught = (error) => {
    const { pack } = require('internal/worker/errors');
    try {
      control.postMessage({ type: 'error', error: pack(error) });
    } catch {
      control.postMessage({ type: 'unserializable' });
    }
    flush();
  };
  const { reallyExit } = process;
  process.reallyExit = (code) => {
    flush();
    reallyExit(code);
  };
  // Messages of other threads wait for it, whether the program listens yet or not.
  if (load.hooks === undefined) require('internal/worker/threads').listen();
  control.postMessage({ type: 'up' });
}

function onControl({ type, stream, chunks }) {
  if (type === 'stdin') streams.stdin.take(chunks);
  else if (type === 'more') streams[stream].more();
}

/// Sends what has been written and not sent, now that nothing is waited for any more.
function flush() {
  process._exiting = true;
  if (streams === undefined) return;
  streams.stdout.more();
  streams.stderr.more();
}

function isWaiting(flag) {
  waiting += flag ? 1 : -1;
  if (waiting > 0) control.ref();
  else control.unref();
}

function setStreams(hasStdin) {
  const { ReadableWorkerStdio, WritableWorkerStdio } = require('internal/worker/stdio');
  let isReading = false;
  const stdin = new ReadableWorkerStdio(() => {
    if (!hasStdin) return;
    if (!isReading) isWaiting(true);
    isReading = true;
    control.postMessage({ type: 'more' });
  }, () => isReading && isWaiting(false));
  if (!hasStdin) stdin.push(null);
  const output = (stream) => new WritableWorkerStdio((chunks) => {
    if (chunks !== null) control.postMessage({ type: 'stdio', stream, chunks });
  }, isWaiting);
  streams = { stdin, stdout: output('stdout'), stderr: output('stderr') };
  for (const name of Object.keys(streams)) {
    Object.defineProperty(process, name, {
      __proto__: null, configurable: true, enumerable: true, get: () => streams[name], set: undefined,
    });
  }
  // What the library itself has to say goes the same way.
  binding.writeStdout = (text) => (streams.stdout.write(text), 0);
  binding.writeStderr = (text) => (streams.stderr.write(text), 0);
}

/// What belongs to the process is not for a worker to change.
function restrictProcess() {
  const { codes: { ERR_WORKER_UNSUPPORTED_OPERATION } } = require('internal/errors');
  const refusal = (name) => Object.assign(function unavailableInWorker() {
    throw new ERR_WORKER_UNSUPPORTED_OPERATION(`process.${name}()`);
  }, { disabled: true });
  for (const name of ['abort', 'chdir', 'initgroups', 'setegid', 'seteuid', 'setgid', 'setgroups', 'setuid']) {
    process[name] = refusal(name);
  }
  // What would go to the parent of the process: there is none for a worker.
  if (binding.parentChannel !== undefined) {
    for (const name of ['send', 'disconnect']) process[name] = refusal(name);
    for (const name of ['channel', 'connected']) {
      const get = () => { throw new ERR_WORKER_UNSUPPORTED_OPERATION(`process.${name}`); };
      Object.defineProperty(process, name, { __proto__: null, configurable: true, enumerable: true, get, set: undefined });
    }
  }
  for (const name of ['title', 'debugPort']) {
    const value = process[name];
    Object.defineProperty(process, name, { __proto__: null, configurable: true, enumerable: true, get: () => value, set() {} });
  }
  for (const name of ['_startProfilerIdleNotifier', '_stopProfilerIdleNotifier', '_debugProcess', '_debugPause', '_debugEnd']) {
    delete process[name];
  }
  const { umask } = process;
  process.umask = function setUmask(mask) {
    if (mask !== undefined) throw new ERR_WORKER_UNSUPPORTED_OPERATION('Setting process.umask()');
    return umask();
  };
}

module.exports = { prepare };
