// ChildProcess: a child that runs beside the program.
// Uses binding.perform, request, referOperation, nextTick, queueClose.
'use strict';

const EventEmitter = require('events');
const { codes: { ERR_INVALID_ARG_TYPE }, errnoException } = require('internal/errors');
const { validateArray, validateObject, validateOneOf, validateString } = require('internal/validators');
const { description, signalName, signalNumber, spawnError, startFailure } = require('internal/child_process/arguments');

const ENOENT = -2;
const ESRCH = -3;
const EAGAIN = -11;
const EACCES = -13;
const EINVAL = -22;
const ENFILE = -23;
const EMFILE = -24;
const EPIPE = -32;
const ENOSYS = -38;

// A child that could not be started for one of these reasons tells it with an event.
const gentle = [EACCES, EAGAIN, EMFILE, ENFILE, ENOENT];

// Where a child keeps its channel.
const kChannel = Symbol('channel');

/// What the world knows about a child: it can be waited for and killed.
class ProcessHandle {
  #id;
  #operation;
  #isReferenced = true;

  constructor(id, pid, onExit) {
    this.#id = id;
    this.pid = pid;
    this.#operation = binding.request('process.wait', [id], (fault, end) => {
      this.#operation = undefined;
      binding.perform('process.forget', [id]);
      if (fault === null) onExit(end.code, signalName(end.signal));
      else onExit(fault.errno, null);
    });
  }

  /// 0, or the number of the error.
  kill(signal) {
    if (this.#operation === undefined) return ESRCH;
    try {
      binding.perform('process.kill', [this.#id, signal]);
      return 0;
    } catch (fault) {
      if (fault.errno === 0) throw startFailure(fault);
      return fault.errno;
    }
  }

  #refer(isReferenced) {
    this.#isReferenced = isReferenced;
    if (this.#operation !== undefined) binding.referOperation(this.#operation, isReferenced);
  }

  ref() {
    this.#refer(true);
  }

  unref() {
    this.#refer(false);
  }

  hasRef() {
    return this.#isReferenced && this.#operation !== undefined;
  }
}

/// The end of a pipe to a child that could not be started: nothing comes, and nothing gets there.
class DeadHandle {
  bytesRead = 0;
  bytesWritten = 0;
  writeQueueSize = 0;
  referenced = false;
  closed = false;
  #writes = [];

  read(callback) {
    binding.nextTick(() => { if (!this.closed) callback(null, new Uint8Array(0)); });
  }

  write(bytes, callback) {
    this.#writes.push(callback);
    return false;
  }

  shutdown(callback) {
    binding.nextTick(() => { if (!this.closed) callback(null); });
  }

  close(callback) {
    if (this.closed) return;
    this.closed = true;
    binding.queueClose(() => {
      for (const write of this.#writes) write({ code: '', errno: EPIPE, syscall: 'write' });
      callback?.();
    });
  }

  set() {}

  ref() {}

  unref() {}

  hasRef() {
    return false;
  }
}

function ChildProcess() {
  Reflect.apply(EventEmitter, this, []);
  this._closesNeeded = 1;
  this._closesGot = 0;
  this.connected = false;
  this.signalCode = null;
  this.exitCode = null;
  this.killed = false;
  this.spawnfile = null;
  this._handle = null;
}
Object.setPrototypeOf(ChildProcess.prototype, EventEmitter.prototype);
Object.setPrototypeOf(ChildProcess, EventEmitter);

// One more of the streams, or the child itself, has come to its end.
function closedOne(child) {
  child._closesGot++;
  if (child._closesGot === child._closesNeeded) child.emit('close', child.exitCode, child.signalCode);
}

// Nobody who does not read what a dead child has said should wait for its end.
function drain(child) {
  for (const stream of child.stdio ?? []) {
    if (stream?.readable) stream.resume();
  }
}

// How often a child that has ended is listened to again before its end is told.
const ROUNDS = 64;

// Goes on once nothing more comes of what the child has said before its end, and of what was written to
// it. Its descendants may hold the streams and speak for ever: they do not count.
function settle(child, done, rounds = ROUNDS) {
  const isOpen = (stream) => stream && !stream.destroyed &&
    ((stream.readableFlowing && !stream.readableEnded) || stream.writableLength > 0);
  const open = child.stdio.filter(isOpen);
  const channel = child[kChannel];
  if ((open.length === 0 && (channel?.isClosed ?? true)) || rounds === 0) return done();
  const look = () => [
    ...open.map((stream) => [stream.bytesRead, stream.writableLength, isOpen(stream)]), channel?.received, channel?.isClosed,
  ].join();
  const before = look();
  binding.request('process.settle', [], () => {
    if (look() === before) done();
    else settle(child, done, rounds - 1);
  });
}

function ended(child, code, signal) {
  if (signal !== null) child.signalCode = signal;
  else child.exitCode = code;
  child.stdin?.destroy();
  child._handle = null;
  if (code < 0) {
    const syscall = child.spawnfile ? `spawn ${child.spawnfile}` : 'spawn';
    child.emit('error', spawnError(errnoException(code, syscall), child.spawnfile, child.spawnargs.slice(1)));
  } else {
    child.emit('exit', child.exitCode, child.signalCode);
  }
  binding.nextTick(drain, child);
  closedOne(child);
}

// The streams of a child for what is a pipe in its description; of none, if it could not be started.
function openStreams(child, stdio, ids) {
  const { Socket } = require('net');
  const { StreamHandle } = require('internal/net/handle');
  return stdio.map((entry, at) => {
    if (entry.ipc) {
      if (ids !== undefined) child._closesNeeded++;
      return null;
    }
    if (entry.type !== 'pipe') return null;
    const handle = ids === undefined ? new DeadHandle() : new StreamHandle(ids[at]);
    const socket = new Socket({ handle, readable: at > 0 });
    if (at > 0) {
      child._closesNeeded++;
      socket.on('close', () => closedOne(child));
    }
    return socket;
  });
}

ChildProcess.prototype.spawn = function spawn(options) {
  validateObject(options, 'options');
  const { normalize, told } = require('internal/child_process/stdio');
  const stdio = normalize(options.stdio || 'pipe', false);
  const ipc = stdio.findIndex((entry) => entry.ipc);
  let serialization = 'json';
  if (ipc >= 0) {
    if (options.serialization !== undefined) {
      validateOneOf(options.serialization, 'options.serialization', [undefined, 'json', 'advanced']);
      ({ serialization } = options);
    }
    if (options.envPairs === undefined) options.envPairs = [];
    else validateArray(options.envPairs, 'options.envPairs');
    options.envPairs = options.envPairs.filter((pair) => !/^NODE_CHANNEL_(?:FD|SERIALIZATION_MODE)=/.test(pair));
    options.envPairs.push(`NODE_CHANNEL_FD=${ipc}`, `NODE_CHANNEL_SERIALIZATION_MODE=${serialization}`);
  }
  validateString(options.file, 'options.file');
  this.spawnfile = options.file;
  if (options.args === undefined) this.spawnargs = [];
  else if (Array.isArray(options.args)) this.spawnargs = options.args;
  else throw new ERR_INVALID_ARG_TYPE('options.args', 'Array', options.args);

  const sent = stdio.map(told);
  const args = this.spawnargs.length > 0 ? this.spawnargs : [this.spawnfile];
  let answer;
  let errno = 0;
  try {
    answer = binding.perform('process.spawn', [description({ ...options, args, envPairs: options.envPairs ?? [] }, sent)]);
  } catch (fault) {
    if (!gentle.includes(fault.errno)) throw fault.errno ? errnoException(fault.errno, 'spawn') : startFailure(fault, 'spawn');
    ({ errno } = fault);
  }
  if (errno === 0) {
    this._handle = new ProcessHandle(answer.id, answer.pid, (code, signal) => settle(this, () => ended(this, code, signal)));
    this.pid = answer.pid;
    binding.nextTick(() => this.emit('spawn'));
  } else {
    binding.nextTick(() => ended(this, errno, null));
    this.pid = undefined;
    if (errno === EMFILE || errno === ENFILE) return errno;
  }
  const streams = openStreams(this, stdio, answer?.stdio);
  for (const [at, name] of ['stdin', 'stdout', 'stderr'].entries()) this[name] = streams[at];
  this.stdio = streams;
  if (ipc >= 0 && errno === 0) {
    const { connectChild } = require('internal/child_process/channel');
    const channel = connectChild(this, answer.stdio[ipc], serialization, () => closedOne(this));
    Object.defineProperty(this, kChannel, { enumerable: false, value: channel });
  }
  return errno;
};

ChildProcess.prototype.kill = function kill(sig) {
  const signal = sig === 0 ? sig : signalNumber(sig === undefined ? 'SIGTERM' : sig);
  if (this._handle === null) return false;
  const errno = this._handle.kill(signal);
  if (errno === 0) {
    this.killed = true;
    return true;
  }
  if (errno === EINVAL || errno === ENOSYS) throw errnoException(errno, 'kill');
  // Whoever is dead already needs no more.
  if (errno !== ESRCH) this.emit('error', errnoException(errno, 'kill'));
  return false;
};

ChildProcess.prototype.ref = function ref() {
  this._handle?.ref();
};

ChildProcess.prototype.unref = function unref() {
  this._handle?.unref();
};

Object.defineProperty(ChildProcess.prototype, Symbol.dispose, {
  configurable: true,
  writable: true,
  value: { [Symbol.dispose]() { if (!this.killed) this.kill(); } }[Symbol.dispose],
});

module.exports = { ChildProcess };
