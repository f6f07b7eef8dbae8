// node:dgram.
// Uses binding.nextTick, clusterBind.
'use strict';

const EventEmitter = require('events');
const { Buffer } = require('buffer');
const active = require('internal/active');
const { UDP, failure, kState } = require('internal/dgram/handle');
const hooked = require('internal/hooked');
const { atLevel, levelIn } = require('internal/levels');
const { deprecate } = require('internal/util/deprecate');
const {
  codes: {
    ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_INVALID_FD_TYPE, ERR_MISSING_ARGS, ERR_SOCKET_ALREADY_BOUND,
    ERR_SOCKET_BAD_BUFFER_SIZE, ERR_SOCKET_BAD_TYPE, ERR_SOCKET_BUFFER_SIZE, ERR_SOCKET_DGRAM_IS_CONNECTED,
    ERR_SOCKET_DGRAM_NOT_CONNECTED, ERR_SOCKET_DGRAM_NOT_RUNNING,
  },
} = require('internal/errors');
const {
  validateAbortSignal, validateFunction, validateNumber, validatePort, validateString, validateUint32,
} = require('internal/validators');

const UNBOUND = 0;
const BINDING = 1;
const BOUND = 2;
const DISCONNECTED = 0;
const CONNECTING = 1;
const CONNECTED = 2;

// Marks a socket that is bound because it sends: nobody chose its place.
const kImplicit = Symbol('implicit');
const SENDABLE = ['Buffer', 'TypedArray', 'DataView', 'string'];

function Socket(type, listener) {
  Reflect.apply(EventEmitter, this, []);
  const options = type !== null && typeof type === 'object' ? type : { type };
  const { lookup } = options;
  for (const name of ['recvBufferSize', 'sendBufferSize']) if (options[name]) validateUint32(options[name], `options.${name}`);
  if (options.type !== 'udp4' && options.type !== 'udp6') throw new ERR_SOCKET_BAD_TYPE();
  if (lookup !== undefined) validateFunction(lookup, 'lookup');
  this.type = options.type;
  if (typeof listener === 'function') this.on('message', listener);
  this[kState] = {
    handle: new UDP(options.type, lookup),
    receiving: false,
    bindState: UNBOUND,
    connectState: DISCONNECTED,
    // What is to be done once the socket is bound.
    queue: undefined,
    reuseAddr: options.reuseAddr,
    ipv6Only: options.ipv6Only,
    recvBufferSize: options.recvBufferSize,
    sendBufferSize: options.sendBufferSize,
    // The level of what it receives, if it has one of its own (rule PRIO-2).
    level: levelIn(options),
  };
  active.opened(this, nameOf);
  if (options.signal !== undefined) closeWhenAborted(this, options.signal);
  require('internal/diagnostics').tell('udp.socket', { socket: this });
}
Object.setPrototypeOf(Socket.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Socket, EventEmitter);

/// What a socket is to who asks what keeps the program alive.
const nameOf = (socket) => (socket[kState].handle?.hasRef() ? 'UDPWrap' : undefined);

function closeWhenAborted(socket, signal) {
  validateAbortSignal(signal, 'options.signal');
  const close = () => { if (socket[kState].handle !== null) socket.close(); };
  if (signal.aborted) close();
  else socket.once('close', require('internal/events/abort_listener').addAbortListener(signal, close)[Symbol.dispose]);
}

function createSocket(type, listener) {
  return new Socket(type, listener);
}

function running(socket) {
  const state = socket[kState];
  if (state.handle === null) throw new ERR_SOCKET_DGRAM_NOT_RUNNING();
  return state;
}

// What the world refuses is thrown as the failure of that call.
function attempt(syscall, act) {
  try {
    return act();
  } catch (fault) {
    throw failure(fault, syscall);
  }
}

function startListening(socket) {
  const state = socket[kState];
  state.receiving = true;
  state.bindState = BOUND;
  atLevel(state.level, () => state.handle.receive((fault, message) => {
    if (fault !== null) {
      socket.emit('error', failure(fault, 'recvmsg'));
      return;
    }
    const { bytes, address, family, port } = message;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    socket.emit('message', buffer, { address, family, port, size: bytes.length });
  }));
  if (state.recvBufferSize) bufferSize(socket, 'recv', state.recvBufferSize);
  if (state.sendBufferSize) bufferSize(socket, 'send', state.sendBufferSize);
  socket.emit('listening');
}

function bufferSize(socket, which, size) {
  try {
    return socket[kState].handle.set(`${which}BufferSize`, size);
  } catch (fault) {
    if (fault.code !== '') throw failure(fault);
    const uv = require('internal/uv_errors');
    const { errno } = fault;
    throw new ERR_SOCKET_BUFFER_SIZE({
      errno, code: uv.errname(errno), message: uv.errtext(errno), syscall: `uv_${which}_buffer_size`,
    });
  }
}

// Remembers what to do when the socket is bound. Nothing of it is done if it cannot be.
function enqueue(socket, act) {
  const state = socket[kState];
  if (state.queue !== undefined) {
    state.queue.push(act);
    return;
  }
  state.queue = [act];
  const settle = (isBound) => {
    const { queue } = state;
    state.queue = undefined;
    for (const event of Object.keys(outcomes)) socket.removeListener(event, outcomes[event]);
    if (isBound) for (const one of queue) one();
  };
  const outcomes = { error: () => settle(false), listening: () => settle(true) };
  for (const event of Object.keys(outcomes)) socket.on(event, outcomes[event]);
}

function bindIfNeeded(socket) {
  if (socket[kState].bindState === UNBOUND) socket.bind({ port: 0, exclusive: true, [kImplicit]: true }, null);
}

function failToBind(socket, error) {
  socket[kState].bindState = UNBOUND;
  socket.emit('error', error);
}

function bindAlone(socket, address, port, implicit) {
  const { handle, reuseAddr, ipv6Only } = socket[kState];
  try {
    handle.bind(address, port | 0, { reuseAddr: Boolean(reuseAddr), ipv6Only: Boolean(ipv6Only), implicit });
  } catch (fault) {
    failToBind(socket, failure(fault, 'bind', address, port || 0));
    return;
  }
  startListening(socket);
}

// What a world says that gives no sockets to other processes.
const ENOTSUP = -95;

// In a worker of a cluster all have one socket, which the first process opens (rule CLUSTER-11).
function bindTogether(socket, address, port) {
  const state = socket[kState];
  const place = { address, port: port | 0, type: socket.type, reuseAddr: Boolean(state.reuseAddr), ipv6Only: Boolean(state.ipv6Only) };
  binding.clusterBind(socket, place, (fault, given) => {
    if (state.handle === null) return;
    if (fault?.errno === ENOTSUP) {
      bindAlone(socket, address, port, false);
    } else if (fault !== null) {
      failToBind(socket, failure(fault, 'bind', address, port || 0));
    } else {
      state.handle.adopt(given.fd);
      startListening(socket);
    }
  });
}

// Binds to what the process was given under that number.
function bindGiven(socket, fd) {
  const state = socket[kState];
  try {
    state.handle.adopt(fd);
  } catch {
    throw new ERR_INVALID_FD_TYPE('UNKNOWN');
  }
  startListening(socket);
  return socket;
}

// Calls back when the socket listens, unless it fails first.
function onceListening(socket, callback) {
  const forget = () => {
    socket.removeListener('error', forget);
    socket.removeListener('listening', heard);
  };
  const heard = function(...args) {
    forget();
    Reflect.apply(callback, this, args);
  };
  socket.on('error', forget);
  socket.on('listening', heard);
}

const methods = {
  bind(port, address /* , callback */) {
    const state = running(this);
    if (state.bindState !== UNBOUND) throw new ERR_SOCKET_ALREADY_BOUND();
    state.level = levelIn(port) ?? state.level;
    state.bindState = BINDING;
    const callback = arguments.length > 0 && arguments[arguments.length - 1];
    if (typeof callback === 'function') onceListening(this, callback);
    let implicit = false;
    let isAlone = binding.clusterBind === undefined;
    if (port !== null && typeof port === 'object') {
      implicit = port[kImplicit] === true;
      isAlone ||= Boolean(port.exclusive);
      if (Number.isInteger(port.fd) && port.fd >= 0) return bindGiven(this, port.fd);
      ({ port, address } = { port: port.port, address: port.address || '' });
    } else if (typeof address === 'function') {
      address = '';
    }
    address ||= this.type === 'udp4' ? '0.0.0.0' : '::';
    state.handle.lookup(address, (error, found) => {
      if (state.handle === null) return;
      if (error) failToBind(this, error);
      else if (isAlone) bindAlone(this, found, port, implicit);
      else bindTogether(this, found, port);
    });
    return this;
  },

  connect(port, address, callback) {
    const to = validatePort(port, 'Port', false);
    const isCallback = typeof address === 'function';
    const where = isCallback || address === undefined ? '' : address;
    validateString(where, 'address');
    const state = this[kState];
    if (state.connectState !== DISCONNECTED) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
    // A socket that does not run says so before it is taken for one that is about to be connected.
    if (state.bindState === UNBOUND) bindIfNeeded(this);
    state.connectState = CONNECTING;
    const connect = () => connectNow(this, to, where, isCallback ? address : callback);
    if (state.bindState === BOUND) connect();
    else enqueue(this, connect);
  },

  disconnect() {
    const state = this[kState];
    if (state.connectState !== CONNECTED) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
    attempt('connect', () => state.handle.disconnect());
    state.connectState = DISCONNECTED;
  },

  // The old form, with all of its arguments.
  sendto(buffer, offset, length, port, address, callback) {
    validateNumber(offset, 'offset');
    validateNumber(length, 'length');
    validateNumber(port, 'port');
    validateString(address, 'address');
    this.send(buffer, offset, length, port, address, callback);
  },

  send(buffer, offset, length, port, address, callback) {
    const state = this[kState];
    const isConnected = state.connectState === CONNECTED;
    if (isConnected) {
      if (typeof length === 'number') {
        buffer = part(buffer, offset, length);
        if (typeof port === 'function') [callback, port] = [port, null];
      } else {
        callback = offset;
      }
      if (port || address) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
    } else if (address || (port && typeof port !== 'function')) {
      buffer = part(buffer, offset, length);
    } else {
      [callback, port, address] = [port, offset, length];
    }
    const list = toList(buffer);
    if (!isConnected) port = validatePort(port, 'Port', false);
    if (typeof callback !== 'function') callback = undefined;
    if (typeof address === 'function') [callback, address] = [address, undefined];
    else if (address != null) validateString(address, 'address');
    running(this);
    bindIfNeeded(this);
    const bytes = list.length === 1 ? list[0] : Buffer.concat(list);
    const send = () => {
      if (state.connectState === CONNECTED) sendNow(this, bytes, null, null, null, callback);
      else find(this, bytes, address, port, callback);
    };
    if (state.bindState === BOUND) send();
    else enqueue(this, send);
  },

  close(callback) {
    const state = this[kState];
    if (typeof callback === 'function') this.on('close', callback);
    if (state.queue !== undefined) {
      state.queue.push(() => this.close());
      return this;
    }
    const { handle } = running(this);
    stopReceiving(state);
    handle.close();
    state.handle = null;
    active.closed(this);
    hooked.madeBy(handle, () => binding.nextTick(() => this.emit('close')));
    return this;
  },

  address() {
    const { handle } = running(this);
    return attempt('getsockname', () => handle.address(false));
  },

  remoteAddress() {
    const { handle, connectState } = running(this);
    if (connectState !== CONNECTED) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
    return attempt('getpeername', () => handle.address(true));
  },

  setBroadcast(flag) {
    const { handle } = this[kState];
    attempt('setBroadcast', () => handle.set('broadcast', Boolean(flag)));
  },

  setTTL(ttl) {
    validateNumber(ttl, 'ttl');
    const { handle } = this[kState];
    attempt('setTTL', () => handle.set('ttl', ttl | 0));
    return ttl;
  },

  setMulticastTTL(ttl) {
    validateNumber(ttl, 'ttl');
    const { handle } = this[kState];
    attempt('setMulticastTTL', () => handle.set('multicastTTL', ttl | 0));
    return ttl;
  },

  setMulticastLoopback(flag) {
    const { handle } = this[kState];
    attempt('setMulticastLoopback', () => handle.set('multicastLoopback', Boolean(flag)));
    return flag;
  },

  setMulticastInterface(interfaceAddress) {
    const { handle } = running(this);
    validateString(interfaceAddress, 'interfaceAddress');
    attempt('setMulticastInterface', () => {
      const { isIP } = require('internal/net/ip');
      const EINVAL = -22;
      if (isIP(interfaceAddress) === 0) throw { code: '', errno: EINVAL };
      return handle.set('multicastInterface', interfaceAddress);
    });
  },

  addMembership(multicastAddress, interfaceAddress) {
    membership(this, 'addMembership', multicastAddress, interfaceAddress);
  },

  dropMembership(multicastAddress, interfaceAddress) {
    membership(this, 'dropMembership', multicastAddress, interfaceAddress);
  },

  addSourceSpecificMembership(sourceAddress, groupAddress, interfaceAddress) {
    sourceMembership(this, 'addSourceSpecificMembership', sourceAddress, groupAddress, interfaceAddress);
  },

  dropSourceSpecificMembership(sourceAddress, groupAddress, interfaceAddress) {
    sourceMembership(this, 'dropSourceSpecificMembership', sourceAddress, groupAddress, interfaceAddress);
  },

  ref() {
    this[kState].handle?.ref();
    return this;
  },

  unref() {
    this[kState].handle?.unref();
    return this;
  },

  setRecvBufferSize(size) {
    setSize(this, 'recv', size);
  },

  setSendBufferSize(size) {
    setSize(this, 'send', size);
  },

  getRecvBufferSize() {
    return bufferSize(this, 'recv', 0);
  },

  getSendBufferSize() {
    return bufferSize(this, 'send', 0);
  },

  getSendQueueSize() {
    return this[kState].handle.sendQueueSize;
  },

  getSendQueueCount() {
    return this[kState].handle.sendQueueCount;
  },
};

for (const [name, fn] of Object.entries(methods)) {
  Object.defineProperty(fn, 'name', { value: '', configurable: true });
  Socket.prototype[name] = fn;
}

/// What programs could reach before it was hidden.
function defineOldNames() {
  const old = (act, name) => deprecate(act, `Socket.prototype.${name} is deprecated`, 'DEP0112');
  for (const name of ['handle', 'receiving', 'bindState', 'queue', 'reuseAddr']) {
    Object.defineProperty(Socket.prototype, `_${name}`, {
      __proto__: null,
      configurable: false,
      enumerable: false,
      get: old(function() { return this[kState][name]; }, `_${name}`),
      set: old(function(value) { this[kState][name] = value; }, `_${name}`),
    });
  }
  Socket.prototype._healthCheck = old(function() { running(this); }, '_healthCheck()');
  Socket.prototype._stopReceiving = old(function() { stopReceiving(this[kState]); }, '_stopReceiving()');
}

function stopReceiving(state) {
  if (state.receiving) state.handle.stopReceiving();
  state.receiving = false;
}

defineOldNames();

Object.defineProperty(Socket.prototype, Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose'), {
  __proto__: null,
  configurable: true,
  writable: true,
  enumerable: true,
  async value() {
    if (this[kState].handle === null) return;
    await new Promise((resolve) => { this.close(resolve); });
  },
});

function connectNow(socket, port, address, callback) {
  const state = socket[kState];
  if (callback) socket.once('connect', callback);
  state.handle?.lookup(address, (error, found) => {
    if (state.handle === null) return;
    if (!error) {
      try {
        state.handle.connect(found, port);
      } catch (fault) {
        error = failure(fault, 'connect', address, port);
      }
    }
    if (!error) {
      state.connectState = CONNECTED;
      binding.nextTick(() => socket.emit('connect'));
      return;
    }
    state.connectState = DISCONNECTED;
    binding.nextTick(() => {
      if (!callback) {
        socket.emit('error', error);
        return;
      }
      socket.removeListener('connect', callback);
      callback(error);
    });
  });
}

function find(socket, bytes, address, port, callback) {
  socket[kState].handle?.lookup(address, (error, found) => {
    if (error) {
      binding.nextTick(() => (callback ? callback(error) : socket.emit('error', error)));
    } else if (socket[kState].handle !== null) {
      sendNow(socket, bytes, found, port, address, callback);
    }
  });
}

// `address` is what the program called it.
function sendNow(socket, bytes, found, port, address, callback) {
  const told = (fault) => failure(fault, 'send', address ?? undefined, port ?? 0);
  const { handle } = socket[kState];
  if (handle === null) return;
  let taken;
  try {
    taken = handle.send(bytes, found, port, (fault, size) => {
      if (callback) callback(fault === null ? null : told(fault), size);
    });
  } catch (fault) {
    if (callback) binding.nextTick(callback, told(fault));
    return;
  }
  if (taken !== true && callback) hooked.madeBy(handle, () => binding.nextTick(callback, null, taken));
}

// The bytes from `offset` on, so many.
function part(buffer, offset, length) {
  const whole = toBuffer(buffer, 'buffer', buffer);
  const start = offset >>> 0;
  const end = start + (length >>> 0);
  if (start > whole.length) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (end > whole.length) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
  return whole.subarray(start, end);
}

/// A string or bytes as a buffer; `all` is what is said to be wrong if it is neither.
function toBuffer(piece, name, all) {
  if (typeof piece === 'string') return Buffer.from(piece);
  if (!ArrayBuffer.isView(piece)) throw new ERR_INVALID_ARG_TYPE(name, SENDABLE, all);
  return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}

// The pieces of a message as buffers.
function toList(message) {
  if (!Array.isArray(message)) return [toBuffer(message, 'buffer', message)];
  return message.map((piece) => toBuffer(piece, 'buffer list arguments', message));
}

function membership(socket, name, group, onInterface) {
  const { handle } = running(socket);
  if (!group) throw new ERR_MISSING_ARGS('multicastAddress');
  attempt(name, () => {
    handle.ensure();
    handle.set(name, `${group}`, onInterface === undefined ? null : `${onInterface}`);
  });
}

function sourceMembership(socket, name, source, group, onInterface) {
  const { handle } = running(socket);
  validateString(source, 'sourceAddress');
  validateString(group, 'groupAddress');
  attempt(name, () => {
    handle.ensure();
    handle.set(name, group, onInterface === undefined ? null : `${onInterface}`, source);
  });
}

function setSize(socket, which, size) {
  if (size >>> 0 !== size) throw new ERR_SOCKET_BAD_BUFFER_SIZE();
  bufferSize(socket, which, size);
}

module.exports = { createSocket, Socket };
