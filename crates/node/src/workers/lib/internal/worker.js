// Worker: a machine of its own, seen from its parent.
//
// Takes from `binding`: perform, request, referOperation, queueMessage, nextTick, execArgv, unknownFlags, switchedFlags, cwd.
'use strict';

const EventEmitter = require('events');
const path = require('path');
const hooked = require('internal/hooked');
const process = require('internal/process');
const { codes } = require('internal/errors');
const { validateArray, validateBoolean, validateObject, validateString } = require('internal/validators');
const { cloneAndTransfer } = require('internal/structured_clone');
const { MessageChannel, adoptPort } = require('internal/messaging/port');
const { receiveMessageOnPort } = require('internal/messaging');
const { Link, write } = require('internal/messaging/remote');
const { started } = require('internal/worker/threads');
const { ReadableWorkerStdio, WritableWorkerStdio } = require('internal/worker/stdio');

// The option with the port of the thread that runs hooks of the module loader.
const kHooks = Symbol('kHooks');
const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');
const MIB = 1024 * 1024;
// The smallest limit of memory, in MiB: a worker does not get far with it.
const LEAST = 1;
// The exit code by which the host tells that there was no memory left.
const OUT_OF_MEMORY = -2147483648;

// How many messages of a worker that is over are told before others have a turn.
const MANY = 1000;

// What `setEnvironmentData` keeps; a worker begins with a copy of its parent's.
const environmentData = binding.workerState?.environmentData ?? new Map();

// Flags that are about the whole process, and so not for one of its workers.
const PROCESS_FLAGS = /^--(title|max-old-space-size|max-semi-space-size|stack-size|v8-pool-size|icu-data-dir|openssl-config|zero-fill-buffers)(=|$)/;

/// A worker as hooks know it.
class WorkerHandle {
  isReferenced = true;

  hasRef() {
    return this.isReferenced;
  }
}

class Worker extends EventEmitter {
  #handle = new WorkerHandle();
  // The number of the thread; undefined once it is over.
  #thread;
  #operation;
  #control;
  #port;
  #stdin = null;
  #stdout;
  #stderr;
  #limits;
  #onStarted;

  constructor(filename, options = {}) {
    super();
    const { record, scriptName } = describe(filename, options ?? {});
    options ??= {};
    this.#limits = limitsOf(options.resourceLimits);
    if (this.#limits.maxOldGenerationSizeMb >= 0) record.memory = Math.max(LEAST, this.#limits.maxOldGenerationSizeMb) * MIB;
    record.stack = Math.max(0.25, this.#limits.stackSizeMb) * MIB;
    hooked.made('WORKER', this.#handle);
    const { port1, port2 } = new MessageChannel();
    const [ours, theirs] = binding.perform('port.open', []);
    try {
      // What cannot be copied is told before anything begins.
      const load = {
        scriptName,
        argv: (options.argv ?? []).map(String),
        workerData: options.workerData,
        environmentData,
        publicPort: port2,
        hasStdin: options.stdin === true || Boolean(options.stdin),
        resourceLimits: effective(this.#limits),
        environment: options.env === SHARE_ENV ? require('internal/process/env').share() : undefined,
      };
      // Recordings of before know no more than the above.
      const timeOrigin = require('internal/time_origin').knownTimeOrigin();
      if (timeOrigin !== undefined) load.timeOrigin = timeOrigin;
      if (options[kHooks] !== undefined) load.hooks = options[kHooks];
      const moved = options[kHooks] === undefined ? [port2] : [port2, options[kHooks]];
      const message = cloneAndTransfer(load, [...moved, ...(Array.isArray(options.transferList) ? options.transferList : [])]);
      binding.perform('port.post', [ours, ...write(message.value)]);
      this.#thread = start(record, theirs);
    } catch (error) {
      binding.perform('port.close', [ours]);
      port1.close();
      throw error;
    }
    require('internal/messaging/broadcast').connectAll();
    const wait = () => binding.request('worker.wait', [this.#thread], (fault, code) => this.#onExit(code));
    this.#operation = hooked.within(this.#handle, 'WORKER', wait);
    started.set(this.#thread, new Promise((resolve) => { this.#onStarted = resolve; }));
    this.#control = adoptPort((inbox) => new Link(inbox, ours));
    this.#control.on('message', (message) => this.#onControl(message));
    this.#control.unref();
    this.#port = port1;
    this.#port.on('message', (message) => this.emit('message', message));
    this.#port.on('messageerror', (error) => this.emit('messageerror', error));
    this.#port.unref();
    this.#openStreams(options);
    // Who listens to messages waits for them.
    this.on('newListener', (name) => {
      if (name === 'message' && this.listenerCount('message') === 0) this.#port?.ref();
    });
    this.on('removeListener', (name) => {
      if (name === 'message' && this.listenerCount('message') === 0) this.#port?.unref();
    });
    this.performance = { eventLoopUtilization: eventLoopUtilization.bind(this) };
    require('internal/diagnostics').tell('worker_threads', { worker: this });
    if (process._listens('worker')) binding.nextTick(() => process.emit('worker', this));
  }

  #openStreams(options) {
    const output = (stream) => new ReadableWorkerStdio(() => this.#control?.postMessage({ type: 'more', stream }));
    this.#stdout = output('stdout');
    this.#stderr = output('stderr');
    if (options.stdin) {
      this.#stdin = new WritableWorkerStdio((chunks) => this.#control?.postMessage({ type: 'stdin', chunks }), () => {});
    }
    if (!options.stdout) pipe(this.#stdout, process.stdout);
    if (!options.stderr) pipe(this.#stderr, process.stderr);
  }

  #onControl({ type, error, stream, chunks }) {
    switch (type) {
      case 'up':
        this.#hasStarted();
        return this.emit('online');
      case 'error': return this.emit('error', require('internal/worker/errors').unpack(error));
      case 'unserializable': return this.emit('error', new codes.ERR_WORKER_UNSERIALIZABLE_ERROR());
      case 'more': return this.#stdin?.more();
      case 'stdio': return (stream === 'stdout' ? this.#stdout : this.#stderr).take(chunks);
    }
    return undefined;
  }

  #hasStarted() {
    started.delete(this.#thread);
    this.#onStarted();
  }

  #onExit(code) {
    // What it said before comes first; but timers have their turn, however much that is.
    for (let count = 0, next; (next = receiveMessageOnPort(this.#port)) !== undefined;) {
      this.emit('message', next.message);
      if (++count === MANY) {
        binding.queueMessage(() => this.#onExit(code), 0, true);
        return;
      }
    }
    for (let next; (next = receiveMessageOnPort(this.#control)) !== undefined;) this.#onControl(next.message);
    this.removeAllListeners('message');
    this.removeAllListeners('messageerror');
    this.#hasStarted();
    this.#thread = undefined;
    this.#control.close();
    this.#port.unref();
    this.#port.close();
    this.#control = undefined;
    this.#port = undefined;
    this.#stdout.take(null);
    this.#stderr.take(null);
    if (code === OUT_OF_MEMORY) {
      code = 1;
      this.emit('error', new codes.ERR_WORKER_OUT_OF_MEMORY('JS heap out of memory'));
    }
    try {
      this.emit('exit', code);
    } finally {
      this.#handle.isReferenced = undefined;
      hooked.ended(this.#handle);
    }
  }

  postMessage(...args) {
    this.#port?.postMessage(...args);
  }

  terminate(callback) {
    if (typeof callback === 'function') {
      process.emitWarning(
        'Passing a callback to worker.terminate() is deprecated. It returns a Promise instead.', 'DeprecationWarning', 'DEP0132');
      if (this.#thread === undefined) return Promise.resolve();
      this.once('exit', (code) => callback(null, code));
    }
    if (this.#thread === undefined) return Promise.resolve();
    this.ref();
    binding.perform('worker.stop', [this.#thread]);
    return new Promise((resolve) => this.once('exit', resolve));
  }

  ref() {
    if (this.#thread === undefined) return;
    this.#refer(true);
    this.#port.ref();
  }

  unref() {
    if (this.#thread === undefined) return;
    this.#refer(false);
    this.#port.unref();
  }

  #refer(isReferenced) {
    this.#handle.isReferenced = isReferenced;
    binding.referOperation(this.#operation, isReferenced);
  }

  get threadId() {
    return this.#thread ?? -1;
  }

  get stdin() {
    return this.#stdin;
  }

  get stdout() {
    return this.#stdout;
  }

  get stderr() {
    return this.#stderr;
  }

  get resourceLimits() {
    return this.#thread === undefined ? {} : { ...this.#limits };
  }

  getHeapSnapshot(options) {
    if (options !== undefined) {
      validateObject(options, 'options');
      for (const name of ['exposeInternals', 'exposeNumericValues']) {
        if (options[name] !== undefined) validateBoolean(options[name], `options.${name}`);
      }
    }
    if (this.#thread === undefined) return Promise.reject(new codes.ERR_WORKER_NOT_RUNNING());
    return Promise.reject(new codes.ERR_METHOD_NOT_IMPLEMENTED('getHeapSnapshot()'));
  }
}

function eventLoopUtilization(util1, util2) {
  const worker = started.has(this.threadId) ? -1 : this.threadId;
  return require('internal/performance').utilizationOf(worker, util1, util2);
}

function start(record, port) {
  try {
    return binding.perform('worker.start', [record, port]);
  } catch (fault) {
    if (fault.code === 'ERR_WORKER_INIT_FAILED') {
      throw new codes.ERR_WORKER_INIT_FAILED(fault.message.replace('Worker initialization failure: ', ''));
    }
    if (fault.code === 'ERR_ACCESS_DENIED') throw new codes.ERR_ACCESS_DENIED(fault.message, fault.syscall, fault.path);
    throw Object.assign(new Error(fault.message), { code: fault.code });
  }
}

/// What the host is told of a new worker, and the name its program goes by.
function describe(filename, options) {
  if (options.execArgv) validateArray(options.execArgv, 'options.execArgv');
  if (options.argv) validateArray(options.argv, 'options.argv');
  if (options.name) validateString(options.name, 'options.name');
  const record = { cwd: binding.cwd, env: environment(options.env) };
  if (options.execArgv) {
    const given = options.execArgv.map(String);
    // What comes behind two dashes are no flags.
    const words = given.includes('--') ? given.slice(0, given.indexOf('--')) : given;
    const unknown = new Set(binding.unknownFlags(words).filter((word) => !binding.execArgv.includes(word)));
    const refused = words.filter((word) => PROCESS_FLAGS.test(word) || unknown.has(word));
    if (refused.length > 0) throw new codes.ERR_WORKER_INVALID_EXEC_ARGV(refused);
    record.execArgv = words;
  }
  if (!(options.trackUnmanagedFds ?? true)) record.leavesFilesOpen = true;
  checkNodeOptions(options.env);
  if (typeof options.env === 'object' && options.env !== null) record.nodeOptions = nodeOptionsIn(options.env);
  const isUrl = typeof filename === 'object' && filename !== null && typeof filename.href === 'string' && typeof filename.protocol === 'string';
  if (options.eval) {
    if (typeof filename !== 'string') {
      throw new codes.ERR_INVALID_ARG_VALUE('options.eval', options.eval, "must be false when 'filename' is not a string");
    }
    record.text = filename;
    return { record, scriptName: '[worker eval]' };
  }
  if (isUrl && filename.protocol === 'data:') {
    record.file = filename.href;
    return { record, scriptName: filename.href };
  }
  if (isUrl) {
    filename = require('url').fileURLToPath(filename);
  } else if (typeof filename !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE('filename', ['string', 'URL'], filename);
  } else if (!path.isAbsolute(filename) && !/^\.\.?[\\/]/.test(filename)) {
    throw new codes.ERR_WORKER_PATH(filename);
  }
  record.file = path.resolve(filename);
  return { record, scriptName: record.file };
}

/// An environment of the worker's own may have flags for it.
function checkNodeOptions(env) {
  const given = typeof env === 'object' ? env?.NODE_OPTIONS : undefined;
  if (!given) return;
  const unknown = binding.unknownFlags(nodeOptionsIn(env)).map((word) => `${word} is not allowed in NODE_OPTIONS`);
  // What this process began with has been told of already. Last, because the variable may be refused to the program.
  if (unknown.length === 0 || given === process.env.NODE_OPTIONS) return;
  throw new codes.ERR_WORKER_INVALID_EXEC_ARGV(unknown, 'invalid NODE_OPTIONS env variable');
}

/// The flags in a worker's environment.
function nodeOptionsIn(env) {
  const words = binding.switchedFlags((name) => String(env[name]));
  return [...words, ...String(env.NODE_OPTIONS ?? '').split(' ').filter(Boolean)];
}

function environment(env) {
  if (env === undefined || env === null || env === SHARE_ENV) return { ...require('internal/process/env').inherited() };
  if (typeof env !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.env', ['object', 'undefined', 'null', 'worker_threads.SHARE_ENV'], env);
  }
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, `${value}`]));
}

function limitsOf(given) {
  const limits = { maxYoungGenerationSizeMb: -1, maxOldGenerationSizeMb: -1, codeRangeSizeMb: -1, stackSizeMb: 4 };
  if (typeof given !== 'object' || given === null) return limits;
  for (const name of Object.keys(limits)) {
    if (typeof given[name] === 'number') limits[name] = given[name];
  }
  return limits;
}

/// What holds in the worker where its parent says nothing.
function effective(limits) {
  const defaults = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 4096, codeRangeSizeMb: 0, stackSizeMb: 4 };
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, limits[name] > 0 ? limits[name] : value]));
}

function pipe(from, to) {
  const most = to.getMaxListeners();
  to.setMaxListeners(Infinity);
  from.pipe(to, { end: false });
  to.setMaxListeners(most);
}

function setEnvironmentData(key, value) {
  if (value === undefined) environmentData.delete(key);
  else environmentData.set(key, value);
}

function getEnvironmentData(key) {
  return environmentData.get(key);
}

module.exports = { Worker, SHARE_ENV, kHooks, setEnvironmentData, getEnvironmentData };
