// Socket: a stream of bytes over a connection, or over the end of a pipe.
// Uses binding.nextTick, queueMicrotask.
'use strict';

const { Buffer } = require('buffer');
const { Duplex } = require('stream');
const active = require('internal/active');
const { StreamHandle, failure } = require('internal/net/handle');
const { OPEN } = require('internal/streams/life');
const { FLOWS } = require('internal/streams/readable_state');
const { emitData } = require('internal/streams/reading');
const { TAKES } = require('internal/streams/writable_state');

const kHandle = Symbol('kHandle');
const kTimeout = Symbol('timeout');
const kBuffer = Symbol('kBuffer');
const kBufferCb = Symbol('kBufferCb');
const kBufferGen = Symbol('kBufferGen');
const kSetNoDelay = Symbol('kSetNoDelay');
const kSetKeepAlive = Symbol('kSetKeepAlive');
const kSetKeepAliveInitialDelay = Symbol('kSetKeepAliveInitialDelay');
const kBytesRead = Symbol('kBytesRead');
const kBytesWritten = Symbol('kBytesWritten');
const kLastWriteQueueSize = Symbol('lastWriteQueueSize');
// What the program's own function has not had of the bytes that came.
const kRest = Symbol('rest');
// Whether a read is asked for or its bytes are on their way to the program.
const kReading = Symbol('reading');
// A method that is called when it sets out to connect.
const kConnects = Symbol('connects');
// Set on what another process has got as one of its descriptors.
const kIsLent = Symbol('isLent');
// Of a server that reads its sockets in another way.
const kManualStart = Symbol('kManualStart');

function checkOptions(options) {
  const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
  for (const name of ['objectMode', 'readableObjectMode', 'writableObjectMode']) {
    if (options[name]) throw new ERR_INVALID_ARG_VALUE(`options.${name}`, options[name], 'is not supported');
  }
  if (options.keepAliveInitialDelay !== undefined) {
    require('internal/validators').validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
}

function Socket(options) {
  if (!(this instanceof Socket)) return new Socket(options);
  if (options) checkOptions(options);
  this.connecting = false;
  this._hadError = false;
  this[kHandle] = null;
  this._parent = null;
  this._host = null;
  this._closeAfterHandlingError = false;
  this[kLastWriteQueueSize] = 0;
  this[kTimeout] = null;
  this[kBuffer] = null;
  this[kBufferCb] = null;
  this[kBufferGen] = null;
  this[kReading] = false;
  options = typeof options === 'number' ? { fd: options } : { ...options };
  options.allowHalfOpen = Boolean(options.allowHalfOpen);
  // The end of the connection says when the stream is closed.
  options.emitClose = false;
  options.autoDestroy = true;
  options.decodeStrings = false;
  Duplex.call(this, options);
  if (options.handle) hold(this, options.handle);
  else if (options.fd !== undefined) openDescriptor(this, options.fd);
  const { onread } = options;
  if (onread !== null && typeof onread === 'object' && typeof onread.callback === 'function') takeOnread(this, onread);
  this[kSetNoDelay] = Boolean(options.noDelay);
  this[kSetKeepAlive] = Boolean(options.keepAlive);
  this[kSetKeepAliveInitialDelay] = ~~(options.keepAliveInitialDelay / 1000);
  this.on('end', onReadableStreamEnd);
  this._sockname = null;
  this._peername = undefined;
  this._pendingData = null;
  this._pendingEncoding = '';
  this.server = null;
  this._server = null;
  this[kBytesRead] = 0;
  this[kBytesWritten] = 0;
  if (this[kHandle] !== null && options.readable !== false && options.manualStart !== true) {
    if (options.pauseOnCreate) this.pause();
    else this.read(0);
  }
}
Object.setPrototypeOf(Socket.prototype, Duplex.prototype);
Object.setPrototypeOf(Socket, Duplex);

/// What an open socket is to who asks what keeps the program alive.
const nameOf = (socket) => (socket[kHandle]?.hasRef?.() ? socket[kHandle].resourceName : undefined);

/// Gives the socket a handle, or takes it.
function hold(socket, handle) {
  socket[kHandle] = handle;
  if (handle === null) active.closed(socket);
  else active.opened(socket, nameOf);
}

/// Takes over what is open under a number of the process.
function openDescriptor(socket, fd) {
  require('internal/validators').validateInt32(fd, 'fd', 0);
  try {
    const connection = binding.perform('net.open', [fd]);
    adopt(socket, connection);
  } catch (fault) {
    throw failure(fault);
  }
}

/// Gives the socket what the world says of its connection.
function adopt(socket, connection) {
  const handle = new StreamHandle(connection.id);
  const { localAddress, localFamily, localPort, remoteAddress, remoteFamily, remotePort } = connection;
  if (localAddress !== undefined) {
    handle.sockname = { address: localAddress, family: localFamily, port: localPort };
  }
  if (remoteAddress !== undefined) {
    handle.peername = { address: remoteAddress, family: remoteFamily, port: remotePort };
  }
  if (socket[kHandle] !== null && !socket[kHandle].referenced) handle.unref();
  // To hooks it is what has connected.
  if (socket[kHandle] === null) handle.made();
  else handle.resource = socket[kHandle].resource ?? socket[kHandle];
  hold(socket, handle);
  socket[kReading] = false;
  return handle;
}

/// Bytes go into the program's own buffer, and from there to its function.
function takeOnread(socket, { buffer, callback }) {
  if (typeof buffer === 'function') {
    socket[kBufferGen] = buffer;
    if (socket[kHandle] !== null) nextBuffer(socket);
  } else if (require('util').types.isUint8Array(buffer)) {
    socket[kBuffer] = buffer;
  } else {
    return;
  }
  socket[kBufferCb] = callback;
}

/// Asks the program for the buffer of the next bytes, if it gives one for each time.
function nextBuffer(socket) {
  const make = socket[kBufferGen];
  if (make !== null) socket[kBuffer] = make();
}

/// A peer that has ended does not want to hear more, unless the socket may be half open.
function onReadableStreamEnd() {
  if (!this.allowHalfOpen) this.write = writeAfterFIN;
}

function writeAfterFIN(chunk, encoding, callback) {
  if (!this.writableEnded) return Duplex.prototype.write.call(this, chunk, encoding, callback);
  if (typeof encoding === 'function') callback = encoding;
  const { genericNodeError } = require('internal/errors');
  const error = genericNodeError('This socket has been ended by the other party', { code: 'EPIPE' });
  if (typeof callback === 'function') binding.nextTick(callback, error);
  this.destroy(error);
  return false;
}

function tryReadStart(socket) {
  socket[kReading] = true;
  const handle = socket[kHandle];
  // A handle that the program has made gives its bytes to the stream by itself.
  if (typeof handle.read !== 'function') {
    handle.readStart();
    return;
  }
  const receive = (fault, bytes) => received(socket, handle, receive, fault, bytes);
  const rest = socket[kRest];
  if (rest === undefined) {
    handle.read(receive);
    return;
  }
  socket[kRest] = undefined;
  binding.nextTick(() => {
    if (socket[kHandle] === handle && !handle.closed) receive(null, rest);
  });
}

/// Hands on what has arrived, and asks for more unless the program has enough.
function received(socket, handle, receive, fault, bytes) {
  if (socket[kTimeout] !== null || socket._parent !== null) socket._unrefTimer();
  if (fault !== null) {
    socket[kReading] = false;
    socket.destroy(failure(fault));
    return;
  }
  if (bytes.length === 0) {
    ended(socket);
    return;
  }
  // Who throws has had enough of these bytes, not of what follows.
  let more = true;
  try {
    more = socket[kBuffer] !== null ? fill(socket, bytes) : give(socket, asBuffer(bytes));
  } finally {
    if (socket[kHandle] === handle && !handle.closed) {
      if (more) handle.read(receive);
      else socket[kReading] = false;
    }
  }
}

/// Hands on what the parser of HTTP has read instead of the socket, and reads on.
function handOn(socket, fault, bytes) {
  const handle = socket[kHandle];
  const receive = (fault, bytes) => received(socket, handle, receive, fault, bytes);
  receive(fault, bytes);
}

/// Gives bytes to the stream. Where nothing waits and somebody listens they go straight there: as this
/// goes on to read by itself, the stream need not ask for it.
function give(socket, bytes) {
  const state = socket._readableState;
  if (state.flowing && state.length === 0 && state.dataListening && !state.sync && state.awaitDrainWriters === null &&
      !state.decoder && state.course === FLOWS && !state.life.isOver) {
    emitData(socket, state, bytes);
    return state.course === FLOWS;
  }
  return socket.push(bytes);
}

function asBuffer(bytes) {
  return Object.setPrototypeOf(bytes, Buffer.prototype);
}

/// Gives the bytes to the program's function, as many at a time as its buffer holds. What is left when it has
/// had enough waits until it wants more.
function fill(socket, bytes) {
  for (let at = 0; at < bytes.length;) {
    const target = socket[kBuffer];
    const count = Math.min(target.length, bytes.length - at);
    target.set(bytes.subarray(at, at + count));
    at += count;
    const isEnough = socket[kBufferCb](count, target) === false || socket.isPaused();
    if (socket.destroyed) return false;
    nextBuffer(socket);
    if (isEnough) {
      if (at < bytes.length) socket[kRest] = bytes.subarray(at);
      return false;
    }
  }
  return true;
}

function ended(socket) {
  // A stream that was never read from ends all the same.
  if (socket._readableState.length === 0) {
    socket.push(null);
    socket.read(0);
  } else {
    socket.push(null);
  }
}

/// Another process reads what comes, until the program asks for it.
function lend(socket) {
  socket[kIsLent] = true;
  socket.pause();
  if (socket[kReading] && socket[kHandle] instanceof StreamHandle && socket[kHandle].recall()) socket[kReading] = false;
}

/// Begins to read, unless that was left to another process.
function startReading(socket) {
  if (!socket[kIsLent] && !socket.destroyed) socket.read(0);
}

const prototype = Socket.prototype;

prototype._unrefTimer = function _unrefTimer() {
  for (let socket = this; socket !== null; socket = socket._parent) {
    if (socket[kTimeout]) require('internal/timers').refresh(socket[kTimeout]);
  }
};

prototype._final = function(callback) {
  // What is not connected yet is ended once it is.
  if (this.connecting) return this.once('connect', () => this._final(callback));
  if (this[kHandle] === null) return callback();
  this[kHandle].shutdown(callback);
};

prototype.setTimeout = function(msecs, callback) {
  if (this.destroyed) return this;
  const { validateFunction, validateNumber } = require('internal/validators');
  this.timeout = msecs;
  validateNumber(msecs, 'msecs');
  if (msecs < 0 || !Number.isFinite(msecs)) {
    const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
    throw new ERR_OUT_OF_RANGE('msecs', 'a non-negative finite number', msecs);
  }
  if (msecs > 2147483647) {
    binding.emitWarning(
      `${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to 2147483647.`,
      'TimeoutOverflowWarning');
    msecs = 2147483647;
  }
  const { setTimeout, clearTimeout } = require('internal/timers');
  clearTimeout(this[kTimeout]);
  if (msecs === 0) {
    this[kTimeout] = null;
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.removeListener('timeout', callback);
    }
    return this;
  }
  this[kTimeout] = setTimeout(() => this._onTimeout(), msecs).unref();
  if (callback !== undefined) {
    validateFunction(callback, 'callback');
    this.once('timeout', callback);
  }
  return this;
};

prototype._onTimeout = function() {
  const handle = this[kHandle];
  const before = this[kLastWriteQueueSize];
  // A write that gets on is no silence.
  if (before > 0 && handle && handle.writeQueueSize !== before) {
    this[kLastWriteQueueSize] = handle.writeQueueSize;
    this._unrefTimer();
    return;
  }
  this.emit('timeout');
};

prototype.setNoDelay = function(enable) {
  const value = Boolean(enable === undefined ? true : enable);
  const changes = value !== this[kSetNoDelay];
  this[kSetNoDelay] = value;
  if (changes) apply(this[kHandle], { noDelay: value }, 'setNoDelay', value);
  return this;
};

prototype.setKeepAlive = function(enable, initialDelayMsecs) {
  enable = Boolean(enable);
  const delay = ~~(initialDelayMsecs / 1000);
  const changes = enable !== this[kSetKeepAlive] || (enable && this[kSetKeepAliveInitialDelay] !== delay);
  this[kSetKeepAlive] = enable;
  this[kSetKeepAliveInitialDelay] = delay;
  if (changes) apply(this[kHandle], { keepAlive: enable, keepAliveDelay: delay }, 'setKeepAlive', enable, delay);
  return this;
};

/// Changes a setting; a connection that has gone meanwhile says so in its own time. A handle that the program has made is told
/// by its own method.
function apply(handle, settings, method, ...args) {
  if (method !== undefined && !(handle instanceof StreamHandle)) {
    handle?.[method]?.(...args);
    return;
  }
  try {
    handle.set(settings);
  } catch { }
}

prototype.address = function() {
  return this._getsockname();
};

prototype._read = function(n) {
  if (this.connecting || this[kHandle] === null) this.once('connect', () => this._read(n));
  else if (!this[kReading]) tryReadStart(this);
};

prototype.end = function(data, encoding, callback) {
  Duplex.prototype.end.call(this, data, encoding, callback);
  return this;
};

prototype.resetAndDestroy = function() {
  if (this[kHandle] === null) {
    const { codes: { ERR_SOCKET_CLOSED } } = require('internal/errors');
    this.destroy(new ERR_SOCKET_CLOSED());
    return this;
  }
  if (this[kHandle].sockname === undefined && !this.connecting) {
    const { codes: { ERR_INVALID_HANDLE_TYPE } } = require('internal/errors');
    throw new ERR_INVALID_HANDLE_TYPE();
  }
  if (this.connecting) this.once('connect', () => this._reset());
  else this._reset();
  return this;
};

prototype._reset = function() {
  this.resetAndClosing = true;
  return this.destroy();
};

prototype.pause = function() {
  return Duplex.prototype.pause.call(this);
};

prototype.resume = function() {
  const result = Duplex.prototype.resume.call(this);
  readOnward(this);
  return result;
};

prototype.read = function(n) {
  readOnward(this);
  return Duplex.prototype.read.call(this, n);
};

/// Goes on with a socket whose own function said that it had enough.
function readOnward(socket) {
  if (socket[kBuffer] && !socket.isPaused() && !socket.connecting && socket[kHandle] !== null && !socket[kReading]) tryReadStart(socket);
}

prototype.destroySoon = function() {
  if (this.writable) this.end();
  if (this.writableFinished) this.destroy();
  else this.once('finish', this.destroy);
};

prototype._destroy = function(exception, callback) {
  this.connecting = false;
  for (let socket = this; socket !== null; socket = socket._parent) {
    if (socket[kTimeout]) require('timers').clearTimeout(socket[kTimeout]);
    socket[kTimeout] = null;
  }
  const handle = this[kHandle];
  if (handle !== null) {
    const hadError = Boolean(exception);
    this[kBytesRead] = handle.bytesRead;
    this[kBytesWritten] = handle.bytesWritten;
    const reset = this.resetAndClosing === true;
    this.resetAndClosing = false;
    const close = () => {
      handle.close(() => this.emit('close', hadError), reset);
      hold(this, null);
      this._sockname = null;
    };
    if (this._closeAfterHandlingError) binding.queueMicrotask(close);
    else close();
    callback(exception);
  } else {
    callback(exception);
    binding.nextTick(emitCloseNT, this);
  }
  if (this._server) {
    this._server._connections--;
    this._server._emitCloseIfDrained?.();
  }
};

function emitCloseNT(socket) {
  socket.emit('close');
}

prototype._getpeername = function() {
  if (this[kHandle]?.peername === undefined || this.connecting) return this._peername || {};
  this._peername ??= this[kHandle].peername;
  return this._peername;
};

prototype._getsockname = function() {
  if (this[kHandle]?.sockname === undefined) return {};
  this._sockname ??= { ...this[kHandle].sockname };
  return this._sockname;
};

prototype._writeGeneric = function(isList, data, encoding, callback) {
  // What is written before there is a connection waits for it.
  if (this.connecting) {
    this._pendingData = data;
    this._pendingEncoding = encoding;
    const onClose = () => {
      const { codes: { ERR_SOCKET_CLOSED_BEFORE_CONNECTION } } = require('internal/errors');
      callback(new ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
    };
    this.once('connect', function connect() {
      this.off('close', onClose);
      this._writeGeneric(isList, data, encoding, callback);
    });
    this.once('close', onClose);
    return;
  }
  this._pendingData = null;
  this._pendingEncoding = '';
  if (this[kHandle] === null) {
    const { codes: { ERR_SOCKET_CLOSED } } = require('internal/errors');
    callback(new ERR_SOCKET_CLOSED());
    return false;
  }
  if (this[kTimeout] !== null || this._parent !== null) this._unrefTimer();
  const bytes = isList ? data.map(pieceBytes) : toBytes(data, encoding);
  let done;
  try {
    done = this[kHandle].write(bytes, (fault) => {
      if (this.destroyed) {
        callback(null);
      } else if (fault !== null) {
        callback(failure(fault));
      } else {
        this._unrefTimer();
        this[kLastWriteQueueSize] = 0;
        callback();
      }
    });
  } catch (fault) {
    this.destroy(failure(fault), callback);
    return;
  }
  if (done) callback();
  else this[kLastWriteQueueSize] = this[kHandle].writeQueueSize;
};

function pieceBytes({ chunk, encoding }) {
  return toBytes(chunk, encoding);
}

function toBytes(chunk, encoding) {
  if (typeof chunk !== 'string') return chunk;
  if (encoding === 'buffer') throw Object.assign(new TypeError('Second argument must be a buffer'), { code: 'ERR_INVALID_ARG_TYPE' });
  return Buffer.from(chunk, encoding);
}

prototype._writev = function(chunks, callback) {
  this._writeGeneric(true, chunks, '', callback);
};

prototype._write = function(data, encoding, callback) {
  this._writeGeneric(false, data, encoding, callback);
};

prototype.connect = function(...args) {
  return require('internal/net/connect').connect(this, args);
};

prototype.ref = function() {
  if (this[kHandle] === null) this.once('connect', this.ref);
  else if (typeof this[kHandle].ref === 'function') this[kHandle].ref();
  return this;
};

prototype.unref = function() {
  if (this[kHandle] === null) this.once('connect', this.unref);
  else if (typeof this[kHandle].unref === 'function') this[kHandle].unref();
  return this;
};

/// The length of a piece that waits to be written.
function pieceLength(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length;
}

function getter(name, get, enumerable = true) {
  Object.defineProperty(prototype, name, { __proto__: null, get, enumerable, configurable: !enumerable });
}

getter('_connecting', function() { return this.connecting; });
getter('pending', function() { return this[kHandle] === null || this.connecting; }, false);
getter('readyState', function() {
  if (this.connecting) return 'opening';
  if (this.readable) return this.writable ? 'open' : 'readOnly';
  return this.writable ? 'writeOnly' : 'closed';
});
getter('bufferSize', function() { return this[kHandle] !== null ? this.writableLength : undefined; }, false);
getter('bytesRead', function() { return this[kHandle] !== null ? this[kHandle].bytesRead : this[kBytesRead]; });
getter('remoteAddress', function() { return this._getpeername().address; });
getter('remoteFamily', function() { return this._getpeername().family; });
getter('remotePort', function() { return this._getpeername().port; });
getter('localAddress', function() { return this._getsockname().address; });
getter('localPort', function() { return this._getsockname().port; });
getter('localFamily', function() { return this._getsockname().family; });
getter('_bytesDispatched', function() { return this[kHandle] !== null ? this[kHandle].bytesWritten : this[kBytesWritten]; });
getter('bytesWritten', function() {
  const waiting = this.writableBuffer;
  if (!waiting) return undefined;
  let bytes = this._bytesDispatched;
  for (const { chunk, encoding } of waiting) bytes += pieceLength(chunk, encoding);
  const data = this._pendingData;
  if (Array.isArray(data)) {
    for (const { chunk, encoding } of data) bytes += pieceLength(chunk, encoding);
  } else if (data) {
    bytes += pieceLength(data, this._pendingEncoding);
  }
  return bytes;
});
Object.defineProperty(prototype, '_handle', {
  __proto__: null,
  get() { return this[kHandle]; },
  set(handle) { hold(this, handle); },
});

/// As long as the program has put nothing in its place.
const { write } = Socket.prototype;

/// The handle through which bytes that are written now go to the system at once, with nothing that waits before them, and
/// nobody who looks on; undefined if there is none.
function writableNow(socket) {
  const handle = socket[kHandle];
  // Only a stream that is open has a number.
  if (handle && !(handle.id === undefined) && !handle.closed && !socket.connecting) {
    const state = socket._writableState;
    if (state.length === 0 && state.corked === 0 && state.course === TAKES && state.life.stage === OPEN &&
        (handle.writes === undefined || handle.writes.size === 0) && socket.write === write) {
      return handle;
    }
  }
  return undefined;
}

// The same for natives: what they must find in a socket, its handle, its state and its life.
const writable = {
  socket: { __proto__: null, connecting: false, write, [kTimeout]: null },
  handle: { __proto__: null, closed: false },
  state: { __proto__: null, length: 0, corked: 0, course: TAKES },
  life: { __proto__: null, stage: OPEN },
};

/// What a new connection is told of the socket's settings.
function settings(socket) {
  const told = {};
  if (socket[kSetNoDelay]) told.noDelay = true;
  if (socket[kSetKeepAlive]) Object.assign(told, { keepAlive: true, keepAliveDelay: socket[kSetKeepAliveInitialDelay] });
  if (socket[kSetNoDelay] || socket[kSetKeepAlive]) apply(socket[kHandle], told);
}

module.exports = {
  Socket, adopt, nextBuffer, settings, handOn, lend, startReading, writable, writableNow,
  kConnects, kHandle, kIsLent, kManualStart, kReading, kSetNoDelay, kSetKeepAlive, kSetKeepAliveInitialDelay, kTimeout,
};
