// What the world has open for a program: streams of bytes, and sockets that listen.
// Uses binding.request, perform, referOperation, giveUpOperation, queueClose, nextTick, queueMicrotask,
// httpStop, httpRefer, httpReceived, getFrame, swapFrame, levelOperation, heard.
'use strict';

const context = require('internal/context');
const hooked = require('internal/hooked');
const { atLevel } = require('internal/levels');

/// The error for what the world says about a failed call; `address` and `port` are what it was about.
function failure(fault, address, port, additional) {
  if (fault instanceof Error) return fault;
  const errors = require('internal/errors');
  if (fault.code === 'ERR_ACCESS_DENIED') {
    return new errors.codes.ERR_ACCESS_DENIED(fault.message, fault.syscall, fault.path);
  }
  if (fault.code !== '') return errors.genericNodeError(fault.message, { code: fault.code });
  if (address === undefined) return errors.errnoException(fault.errno, fault.syscall);
  return errors.exceptionWithHostPort(fault.errno, fault.syscall, address, port, additional);
}

/// Asks the world, and calls back later even if the program may not ask that. Gives the operation's
/// number, or undefined.
function ask(kind, args, callback) {
  try {
    return binding.request(kind, args, callback);
  } catch (fault) {
    binding.nextTick(callback, fault);
    return undefined;
  }
}

/// Something that keeps a program alive, unless it is told not to.
class Handle {
  constructor() {
    this.referenced = true;
    this.closed = false;
    // What hooks know it by if that is not the handle itself.
    this.resource = undefined;
    // The same for its end, which may be that of what it lies upon.
    this.base = undefined;
  }

  /// Tells hooks of it, which comes from `maker` if that is not the running callback.
  made(maker) {
    if (binding.heard !== undefined) hooked.made(this.hookType, this, maker?.resource ?? maker);
    return this;
  }

  /// What `act` gives to the host belongs to it.
  within(act) {
    return binding.heard === undefined ? act() : hooked.within(this.resource ?? this, this.hookType, act);
  }

  /// What `act` gives to the host is a resource of that type, made by this.
  named(type, act) {
    return binding.heard === undefined ? act() : hooked.named(type, this.resource ?? this, act);
  }

  /// Calls back where Node tells the ends of resources, or only tells hooks of it.
  queueClose(callback) {
    const own = this.resource ?? this;
    const base = this.base ?? own;
    const ended = () => {
      binding.leaving = false;
      hooked.ended(base);
      hooked.ended(own);
    };
    if (callback === undefined) {
      // What is closed because of `beforeExit` is work that a program goes on for.
      if (binding.heard !== undefined || binding.leaving) hooked.quietly(() => binding.queueClose(ended));
    } else {
      hooked.within(base, this.hookType, () => binding.queueClose(() => {
        callback();
        ended();
      }));
    }
  }

  ref() {
    this.refer(true);
  }

  unref() {
    this.refer(false);
  }

  hasRef() {
    return this.referenced && !this.closed;
  }

  /// Whether it does; for who has an operation that waits, that one is told, too.
  refer(referenced) {
    this.referenced = referenced;
  }
}

/// A stream of bytes that the world has open under a number.
///
/// Every callback gets what went wrong, as the world says it (see `failure`), or null.
class StreamHandle extends Handle {
  constructor(id) {
    super();
    this.id = id;
    this.readHere = 0;
    this.bytesWritten = 0;
    this.reading = undefined;
    // The native parser of HTTP that reads it, if one does.
    this.consumer = undefined;
    // Who reads, and the one function that tells them.
    this.reader = undefined;
    this.answered = undefined;
    // What it reads is read in the context that it was opened in, whoever asks for more.
    this.frame = context.on ? binding.getFrame() : undefined;
    // The level of who uses it, if that is not who asks for more (rule PRIO-2).
    this.level = undefined;
    // Writes that wait for the system, by their operation; made for the first of them.
    this.writes = undefined;
  }

  /// Node's name for it, as something that keeps a program alive.
  get resourceName() {
    return this.sockname === undefined && this.peername === undefined ? 'PipeWrap' : 'TCPSocketWrap';
  }

  /// The same for hooks.
  get hookType() {
    return this.sockname === undefined && this.peername === undefined ? 'PIPEWRAP' : 'TCPWRAP';
  }

  get bytesRead() {
    return this.readHere + (this.consumer === undefined ? 0 : binding.httpReceived(this.consumer));
  }

  /// Asks for the next bytes: `callback(fault, bytes)`, where no bytes are the end of the stream. At most
  /// one read at a time; as long as it waits, and is referenced, the program goes on.
  read(callback) {
    this.reader = callback;
    this.answered ??= (fault, bytes) => {
      this.reading = undefined;
      if (this.closed) return;
      if (fault === null) this.readHere += bytes.length;
      this.reader(fault, bytes);
    };
    if (context.on) {
      const before = binding.swapFrame(this.frame);
      this.reading = atLevel(this.level, () => this.within(() => ask('stream.read', [this.id], this.answered)));
      binding.swapFrame(before);
    } else {
      this.reading = ask('stream.read', [this.id], this.answered);
    }
    if (!this.referenced && this.reading !== undefined) binding.referOperation(this.reading, false);
  }

  /// Takes back what was asked for; false if bytes are on their way.
  recall() {
    if (this.reading === undefined) return true;
    if (!binding.perform('stream.recall', [this.id])) return false;
    binding.giveUpOperation(this.reading);
    this.reading = undefined;
    return true;
  }

  /// What it reads from now on is for somebody of that level.
  setLevel(level) {
    this.level = level;
    if (this.reading !== undefined) binding.levelOperation(this.reading, level);
  }

  /// Writes bytes, or a list of them. True when the system has taken all at once; else
  /// `callback(fault)` says when it has. Throws the fault when it fails at once.
  write(bytes, callback) {
    let length = bytes.length;
    if (Array.isArray(bytes)) {
      length = 0;
      for (let at = 0; at < bytes.length; at++) length += bytes[at].length;
    }
    const sent = binding.perform('stream.tryWrite', [this.id, bytes]);
    this.bytesWritten += length;
    if (sent === length) return true;
    if (sent > 0) bytes = rest(bytes, sent);
    this.writes ??= new Map();
    const operation = this.named('WRITEWRAP', () => binding.request('stream.write', [this.id, bytes], (fault) => {
      if (this.writes.delete(operation)) callback(fault);
    }));
    this.writes.set(operation, callback);
    return false;
  }

  /// How many writes wait for the system.
  get writeQueueSize() {
    return this.writes?.size ?? 0;
  }

  /// Says that nothing more will be written, once all is; then calls back, whether the peer could be told
  /// or not. What can be done at once is told after ticks and promises, before the next immediate, as Node
  /// has it.
  shutdown(callback) {
    let done = true;
    try {
      done = binding.perform('stream.tryShutdown', [this.id]);
    } catch { }
    if (!done) {
      this.named('SHUTDOWNWRAP', () => ask('stream.shutdown', [this.id], () => { if (!this.closed) callback(); }));
    } else if (binding.heard === undefined) {
      binding.queueMicrotask(() => binding.nextTick(callback));
    } else {
      const told = hooked.once('SHUTDOWNWRAP', this.resource ?? this, callback);
      hooked.quietly(() => binding.queueMicrotask(() => hooked.quietly(() => binding.nextTick(told))));
    }
  }

  /// Frees it at once; `callback()` comes where Node tells the ends of resources.
  close(callback, reset = false) {
    if (this.closed) return;
    this.closed = true;
    if (this.reading !== undefined) binding.giveUpOperation(this.reading);
    this.reading = undefined;
    if (this.consumer !== undefined) binding.httpStop(this.consumer);
    binding.perform('stream.close', [this.id, reset]);
    if (callback === undefined && !this.writes?.size) {
      this.queueClose();
      return;
    }
    this.queueClose(() => {
      if (this.writes !== undefined) cancel(this.writes);
      callback?.();
    });
    if (this.writes !== undefined) for (const operation of this.writes.keys()) binding.giveUpOperation(operation);
  }

  /// Changes `noDelay`, or `keepAlive` with `keepAliveDelay` in seconds.
  set(settings) {
    binding.perform('stream.set', [this.id, settings]);
  }

  refer(referenced) {
    super.refer(referenced);
    if (this.reading !== undefined) binding.referOperation(this.reading, referenced);
    if (this.consumer !== undefined) binding.httpRefer(this.consumer, referenced);
  }
}

/// Tells writes that they will not be done.
function cancel(writes) {
  const callbacks = [...writes.values()];
  writes.clear();
  for (const callback of callbacks) callback({ code: '', errno: -125, syscall: 'write' });
}

/// What is left of bytes, or of a list of them, after so many.
function rest(bytes, sent) {
  if (!Array.isArray(bytes)) return bytes.subarray(sent);
  let at = 0;
  while (sent >= bytes[at].length) sent -= bytes[at++].length;
  return [bytes[at].subarray(sent), ...bytes.slice(at + 1)];
}

/// A socket that listens. Throws the fault when the world cannot do that.
class ListenHandle extends Handle {
  constructor(options) {
    super();
    const { id, address, port, family, path } = binding.perform('net.listen', [options]);
    this.id = id;
    this.name = path === undefined && address !== undefined ? { address, family, port } : undefined;
    this.accepting = undefined;
    this.host = undefined;
    // The world keeps it; the program has no descriptor of it.
    this.fd = -1;
  }

  get resourceName() {
    return this.name === undefined ? 'PipeWrap' : 'TCPServerWrap';
  }

  get hookType() {
    return this.name === undefined ? 'PIPESERVERWRAP' : 'TCPSERVERWRAP';
  }

  /// Calls back with every connection, as the world describes it, until this is closed.
  accept(callback) {
    this.host = callback;
    if (this.accepting !== undefined) return;
    // Whoever takes the connection says what runs within this: the connection itself is made before.
    this.accepting = hooked.quietly(() => ask('net.accept', [this.id], (fault, connection) => {
      this.accepting = undefined;
      if (this.closed) {
        if (fault === null) binding.perform('stream.close', [connection.id, true]);
        return;
      }
      this.accept(this.host);
      this.host(fault, connection);
    }));
    if (!this.referenced && this.accepting !== undefined) binding.referOperation(this.accepting, false);
  }

  close(callback) {
    if (this.closed) return;
    this.closed = true;
    if (this.accepting !== undefined) binding.giveUpOperation(this.accepting);
    this.accepting = undefined;
    binding.perform('net.close', [this.id]);
    this.queueClose(callback);
  }

  refer(referenced) {
    super.refer(referenced);
    if (this.accepting !== undefined) binding.referOperation(this.accepting, referenced);
  }
}

/// What stands for a stream that is not connected yet.
class PendingHandle extends Handle {
  constructor(isPipe = false) {
    super();
    this.bytesRead = 0;
    this.bytesWritten = 0;
    this.operation = undefined;
    this.resourceName = isPipe ? 'PipeWrap' : 'TCPSocketWrap';
    this.hookType = isPipe ? 'PIPEWRAP' : 'TCPWRAP';
  }

  /// Sets out: `callback(fault, connection)`, unless it is closed before.
  connect(options, callback) {
    const type = options.path === undefined ? 'TCPCONNECTWRAP' : 'PIPECONNECTWRAP';
    this.operation = this.named(type, () => ask('net.connect', [options], (fault, connection) => {
      this.operation = undefined;
      if (!this.closed) callback(fault, connection);
      else if (fault === null) binding.perform('stream.close', [connection.id, false]);
    }));
  }

  close(callback) {
    if (this.closed) return;
    this.closed = true;
    if (this.operation !== undefined) binding.giveUpOperation(this.operation);
    this.operation = undefined;
    this.queueClose(callback);
  }

  set() {}
}

module.exports = { StreamHandle, ListenHandle, PendingHandle, failure };
