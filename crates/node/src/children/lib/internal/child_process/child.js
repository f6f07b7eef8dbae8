// ChildProcess: a child that runs beside the program.
// Uses binding.perform, request, referOperation, nextTick, queueClose.
'use strict';

const EventEmitter = require('events');
const active = require('internal/active');
const { codes: { ERR_INVALID_ARG_TYPE }, errnoException } = require('internal/errors');
const hooked = require('internal/hooked');
const { levelIn } = require('internal/levels');
const { validateArray, validateObject, validateOneOf, validateString } = require('internal/validators');
const { description, signalName, signalNumber, spawnError, startFailure, systemFailure } = require('internal/child_process/arguments');

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

// Where a child keeps its channel, and what must close before it is closed itself.
const kChannel = Symbol('channel');
const kParts = Symbol('parts');

/// What the world knows about a child: it can be waited for and killed.
class ProcessHandle {
  #id;
  #operation;
  #isReferenced = true;

  constructor(id, pid, onExit) {
    this.#id = id;
    this.pid = pid;
    hooked.made('PROCESSWRAP', this);
    const waited = (fault, end) => {
      this.#operation = undefined;
      binding.perform('process.forget', [id]);
      if (fault === null) onExit(end.code, signalName(end.signal));
      else onExit(fault.errno, null);
    };
    this.#operation = hooked.quietly(() => binding.request('process.wait', [id], waited));
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

  /// Tells the end of the child.
  tell(done) {
    done();
    hooked.ended(this);
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

/// Counts down to the event `close` of a child: the child itself, its streams and its channel (rule CHILD-8).
class Parts {
  #child;
  #open = 1;

  constructor(child) {
    this.#child = child;
  }

  add() {
    this.#open++;
  }

  closed() {
    this.#open--;
    if (this.#open === 0) this.#child.emit('close', this.#child.exitCode, this.#child.signalCode);
  }
}

function ChildProcess() {
  EventEmitter.call(this);
  Object.assign(this, {
    connected: false, signalCode: null, exitCode: null, killed: false, spawnfile: null, _handle: null,
  });
  Object.defineProperty(this, kParts, { value: new Parts(this) });
}
Object.setPrototypeOf(ChildProcess.prototype, EventEmitter.prototype);
Object.setPrototypeOf(ChildProcess, EventEmitter);

// Nobody who does not read what a dead child has said should wait for its end. What another child reads is not ours.
function drain(child) {
  const { kIsLent } = require('internal/net/socket');
  for (const stream of child.stdio ?? []) {
    if (stream?.readable && !stream[kIsLent]) stream.resume();
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
  const settled = () => {
    if (look() === before) done();
    else settle(child, done, rounds - 1);
  };
  hooked.quietly(() => binding.request('process.settle', [], settled));
}

/// What a child is to who asks what keeps the program alive.
const nameOf = (child) => (child._handle?.hasRef() ? 'ProcessWrap' : undefined);

/// A child has ended, or could not be started: then the code is the number of the error.
function ended(child, code, signal, message = undefined) {
  if (signal === null) child.exitCode = code;
  else child.signalCode = signal;
  child.stdin?.destroy();
  child._handle = null;
  active.closed(child);
  if (code < 0) tellFailure(child, code, message);
  else child.emit('exit', child.exitCode, child.signalCode);
  binding.nextTick(drain, child);
  child[kParts].closed();
}

function tellFailure(child, errno, message) {
  const { spawnfile, spawnargs: [, ...args] } = child;
  const error = systemFailure({ errno, message }, spawnfile ? `spawn ${spawnfile}` : 'spawn');
  child.emit('error', spawnError(error, spawnfile, args));
}

// The streams of a child for what is a pipe in its description; of none, if it could not be started. What they
// read is for that level, if there is one (rule PRIO-2).
function openStreams(child, stdio, ids, level) {
  const { Socket } = require('net');
  const { StreamHandle } = require('internal/net/handle');
  return stdio.map((entry, at) => {
    if (entry.ipc) {
      if (ids !== undefined) child[kParts].add();
      return null;
    }
    if (entry.type !== 'pipe') return null;
    const handle = ids === undefined ? new DeadHandle() : new StreamHandle(ids[at]).made();
    if (level !== undefined) handle.level = level;
    // What it says is read once it is known that it is not for another child.
    const socket = new Socket({ handle, readable: at > 0, manualStart: ids !== undefined });
    if (at > 0) {
      child[kParts].add();
      socket.on('close', () => child[kParts].closed());
    }
    return socket;
  });
}

/// Tells a child of its channel, by its environment. Gives how messages are written on it.
function announceChannel(options, fd) {
  const { serialization = 'json', envPairs = [] } = options;
  validateArray(envPairs, 'options.envPairs');
  const others = envPairs.filter((pair) => !/^NODE_CHANNEL_(?:FD|SERIALIZATION_MODE)=/.test(pair));
  options.envPairs = [...others, `NODE_CHANNEL_FD=${fd}`, `NODE_CHANNEL_SERIALIZATION_MODE=${serialization}`];
  return serialization;
}

/// What the world says about a child that is to be started: `{ answer }`, or `{ errno }` if it could not be, for a
/// reason that the child tells. Any other reason is thrown (rule CHILD-6).
function start(told) {
  try {
    return { answer: binding.perform('process.spawn', [told]), errno: 0 };
  } catch (fault) {
    const { errno, message } = fault;
    if (gentle.includes(errno)) return { errno, message };
    throw errno ? errnoException(errno, 'spawn') : startFailure(fault, 'spawn');
  }
}

function wordsOf({ args = [] }) {
  if (!Array.isArray(args)) throw new ERR_INVALID_ARG_TYPE('options.args', 'Array', args);
  return args;
}

ChildProcess.prototype.spawn = function spawn(options) {
  validateObject(options, 'options');
  validateOneOf(options.serialization, 'options.serialization', [undefined, 'json', 'advanced']);
  const { normalize, told } = require('internal/child_process/stdio');
  const { Socket, lend, startReading } = require('internal/net/socket');
  const stdio = normalize(options.stdio || 'pipe', false);
  const ipc = stdio.findIndex((entry) => entry.ipc);
  const serialization = ipc < 0 ? undefined : announceChannel(options, ipc);
  const { file, envPairs = [] } = options;
  validateString(file, 'options.file');
  this.spawnfile = file;
  this.spawnargs = wordsOf(options);
  const args = this.spawnargs.length > 0 ? this.spawnargs : [file];
  for (const { stream } of stdio) if (stream instanceof Socket) lend(stream);
  const { answer, errno, message } = start(description({ __proto__: null, ...options, args, envPairs }, stdio.map(told)));

  this.pid = answer?.pid;
  if (answer === undefined) {
    binding.nextTick(() => ended(this, errno, null, message));
    // There are no descriptors left for streams.
    if (errno === EMFILE || errno === ENFILE) return errno;
  } else {
    const handle = new ProcessHandle(answer.id, answer.pid, (code, signal) => {
      settle(this, () => hooked.run(handle, 'tell', () => ended(this, code, signal)));
    });
    this._handle = handle;
    active.opened(this, nameOf);
    binding.nextTick(() => {
      for (const stream of this.stdio.slice(1)) if (stream !== null) startReading(stream);
      this.emit('spawn');
    });
  }
  const streams = openStreams(this, stdio, answer?.stdio, levelIn(options));
  [this.stdin, this.stdout, this.stderr] = streams;
  this.stdio = streams;
  if (answer !== undefined && ipc >= 0) openChannel(this, answer.stdio[ipc], serialization);
  require('internal/diagnostics').tell('child_process', { process: this });
  return errno;
};

function openChannel(child, id, serialization) {
  const { connectChild } = require('internal/child_process/channel');
  const value = connectChild(child, id, serialization, () => child[kParts].closed());
  Object.defineProperty(child, kChannel, { value });
}

/// Rule CHILD-9.
ChildProcess.prototype.kill = function kill(sig) {
  const signal = sig === 0 ? 0 : signalNumber(sig === undefined ? 'SIGTERM' : sig);
  const errno = this._handle === null ? ESRCH : this._handle.kill(signal);
  switch (errno) {
    case 0:
      this.killed = true;
      return true;
    case ESRCH:
      // Who has ended needs no signal.
      return false;
    case EINVAL:
    case ENOSYS:
      throw errnoException(errno, 'kill');
    default:
      this.emit('error', errnoException(errno, 'kill'));
      return false;
  }
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
