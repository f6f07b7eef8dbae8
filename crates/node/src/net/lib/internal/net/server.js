// Server: listens for connections.
// Uses binding.nextTick, heard.
'use strict';

const EventEmitter = require('events');
const active = require('internal/active');
const { ListenHandle, StreamHandle, failure } = require('internal/net/handle');
const hooked = require('internal/hooked');
const { atLevel, levelIn } = require('internal/levels');
const { tell } = require('internal/diagnostics');
const { normalizeArgs, isPipeName, toNumber, absolute } = require('internal/net/arguments');

// The level of its connections, if it has one of its own (rule PRIO-2).
const kLevel = Symbol('level');
// What hooks know it by that listens, or has listened.
const kResource = Symbol('resource');
const EADDRINUSE = -98;
// What the system lets wait unless told otherwise.
const BACKLOG = 511;

function Server(options, connectionListener) {
  if (!(this instanceof Server)) return new Server(options, connectionListener);
  EventEmitter.call(this);
  const given = typeof options === 'function' ? {} : options ?? {};
  const listener = typeof options === 'function' ? options : connectionListener;
  if (typeof given !== 'object') {
    const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }
  const delay = numberOf(given, 'keepAliveInitialDelay', 0);
  const mark = numberOf(given, 'highWaterMark', undefined);
  const level = levelIn(given);
  if (level !== undefined) this[kLevel] = level;
  if (typeof listener === 'function') this.on('connection', listener);
  Object.assign(this, {
    _connections: 0,
    _handle: null,
    _usingWorkers: false,
    _workers: [],
    _unref: false,
    _listeningId: 1,
    allowHalfOpen: given.allowHalfOpen || false,
    pauseOnConnect: Boolean(given.pauseOnConnect),
    noDelay: Boolean(given.noDelay),
    keepAlive: Boolean(given.keepAlive),
    // In seconds, as the system takes it.
    keepAliveInitialDelay: Math.floor(Math.max(delay, 0) / 1000) || 0,
    highWaterMark: mark === undefined || mark < 0 ? require('internal/streams/high_water_mark').getDefaultHighWaterMark() : mark,
  });
}
Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);

function numberOf(options, name, standard) {
  const value = options[name];
  if (value === undefined) return standard;
  require('internal/validators').validateNumber(value, `options.${name}`);
  return value;
}

// Of a server whose connections are wrapped before anything of them is read.
const kPausesRaw = Symbol('pausesRaw');

/// Whether its connections wait to be read.
function pauses(server) {
  return server.pauseOnConnect || server[kPausesRaw] === true;
}

// How many of its connections other processes have.
const kSent = Symbol('sent');

/// A connection goes to another process. Gives who is to be told, once, that it is closed there.
function handOver(socket) {
  const server = socket._server;
  socket._server = null;
  server._connections--;
  server[kSent] = (server[kSent] ?? 0) + 1;
  return () => {
    server[kSent]--;
    server._emitCloseIfDrained();
  };
}

// Whether it listens for itself, whatever the cluster does.
const kExclusive = Symbol('exclusive');

const prototype = Server.prototype;

prototype.listen = function(...args) {
  const [given, callback] = normalizeArgs(args);
  const { codes } = require('internal/errors');
  if (this._handle) throw new codes.ERR_SERVER_ALREADY_LISTEN();
  if (callback !== null) this.once('listening', callback);
  const options = given._handle || given.handle || given;
  tell('tracing:net.server.listen:asyncStart', { server: this, options });
  if (options instanceof ListenHandle) {
    this._handle = options;
    listening(this);
    return this;
  }
  const level = levelIn(options);
  if (level !== undefined) this[kLevel] = level;
  closeWhenAborted(this, options.signal);
  if (options.exclusive) this[kExclusive] = true;
  // Of those who have no options it stands after the port or after the host.
  const among = args.slice(1, 3).map(toNumber).find((number) => number > 0) ?? BACKLOG;
  const backlog = options.backlog || among;
  if (typeof options.fd === 'number' && options.fd >= 0) {
    begin(this, { fd: options.fd, backlog: among }, null, null);
    return this;
  }
  // A port that nobody names is any.
  const isUnnamed = options.port === null || (options.port === undefined && 'port' in options);
  if (isUnnamed || args.length === 0 || typeof args[0] === 'function') options.port = 0;
  if (typeof options.port === 'number' || typeof options.port === 'string') {
    require('internal/validators').validatePort(options.port, 'options.port');
    const wanted = { port: options.port | 0, backlog, ipv6Only: options.ipv6Only === true, reusePort: options.reusePort === true };
    if (options.host) lookupAndListen(this, wanted, options.host);
    else listenAnywhere(this, wanted);
    return this;
  }
  if (options.path && isPipeName(options.path)) {
    // Such a name stands in no directory that could keep anybody out; the words are Node's.
    if (options.path[0] === '\0' && (options.readableAll || options.writableAll)) {
      throw new codes.ERR_INVALID_ARG_VALUE(
        'options', options, 'can not set readableAll or writableAllt to true when path is abstract unix socket');
    }
    this._pipeName = options.path;
    let mode = 0;
    if (options.readableAll === true) mode |= 0o444;
    if (options.writableAll === true) mode |= 0o222;
    begin(this, { path: absolute(options.path), backlog, mode }, options.path, -1);
    return this;
  }
  if (!('port' in options || 'path' in options)) {
    throw new codes.ERR_INVALID_ARG_VALUE('options', options, 'must have the property "port" or "path"');
  }
  throw new codes.ERR_INVALID_ARG_VALUE('options', options);
};

function closeWhenAborted(server, signal) {
  if (signal === undefined) return;
  require('internal/validators').validateAbortSignal(signal, 'options.signal');
  const close = () => server.close();
  if (signal.aborted) binding.nextTick(close);
  else server.once('close', require('internal/events/abort_listener').addAbortListener(signal, close)[Symbol.dispose]);
}

function lookupAndListen(server, wanted, host) {
  const id = server._listeningId;
  require('dns').lookup(host, (error, ip) => {
    // It was closed meanwhile.
    if (server._listeningId !== id) return;
    if (error) sayFailed(server, error);
    else begin(server, { ...wanted, host: ip }, ip, wanted.port);
  });
}

/// Listens at every address of the computer: of both families where there are two.
function listenAnywhere(server, wanted) {
  if (inCluster(server)) return begin(server, { ...wanted, host: '::', isEverywhere: true }, '::', wanted.port);
  try {
    server._handle = new ListenHandle({ ...wanted, host: '::', paused: pauses(server) }).made();
  } catch (fault) {
    if (fault.errno === EADDRINUSE || fault.code !== '') refused(server, fault, '::', wanted.port);
    else begin(server, { ...wanted, host: '0.0.0.0' }, '0.0.0.0', wanted.port);
    return;
  }
  server._connectionKey = `6::::${wanted.port}`;
  listening(server);
}

/// Whether it listens together with the same server in other processes (see `cluster`).
function inCluster(server) {
  return binding.clusterListen !== undefined && server[kExclusive] !== true;
}

function begin(server, options, address, port) {
  if (inCluster(server)) {
    binding.clusterListen(server, { ...options, paused: pauses(server) }, (fault, handle) => {
      if (fault !== null) {
        sayFailed(server, require('internal/errors').exceptionWithHostPort(fault.errno, 'bind', address, port));
        return;
      }
      // Only one of several calls can have it.
      if (server._handle !== null) {
        handle.close();
        return;
      }
      server._handle = handle;
      listening(server);
    });
    return;
  }
  try {
    server._handle = new ListenHandle({ ...options, paused: pauses(server) }).made();
  } catch (fault) {
    refused(server, fault, address, port);
    return;
  }
  server._connectionKey = `${port === -1 ? -1 : require('internal/net/ip').isIP(address ?? '')}:${address}:${port}`;
  listening(server);
}

function refused(server, fault, address, port) {
  const error = fault.code === '' ?
    require('internal/errors').uvExceptionWithHostPort(fault.errno, 'listen', address, port) :
    failure(fault);
  tell('tracing:net.server.listen:error', { server, error });
  binding.nextTick(() => {
    if (server._handle === null) server.emit('error', error);
  });
}

function sayFailed(server, error) {
  tell('tracing:net.server.listen:error', { server, error });
  server.emit('error', error);
}

/// What a server is to who asks what keeps the program alive.
const nameOf = (server) => (server._handle?.hasRef?.() ? server._handle.resourceName : undefined);

function listening(server) {
  const handle = server._handle;
  if (server._unref) handle.unref();
  active.opened(server, nameOf);
  atLevel(server[kLevel], () => handle.accept((fault, connection) => accepted(server, fault, connection)));
  tell('tracing:net.server.listen:asyncEnd', { server });
  server[kResource] = handle;
  hooked.madeBy(handle, () => binding.nextTick(() => {
    if (server._handle) server.emit('listening');
  }));
}

function accepted(server, fault, connection) {
  if (fault !== null) {
    hooked.call(server[kResource], () => server.emit('error', failure(fault)));
    return;
  }
  const { id, localAddress, localPort, localFamily, remoteAddress, remotePort, remoteFamily } = connection;
  const handle = new StreamHandle(id);
  const known = localAddress !== undefined;
  if (known) handle.sockname = { address: localAddress, family: localFamily, port: localPort };
  if (remoteAddress !== undefined) handle.peername = { address: remoteAddress, family: remoteFamily, port: remotePort };
  const ends = known ? { localAddress, localPort, localFamily, remoteAddress, remotePort, remoteFamily } : undefined;
  if (binding.heard === undefined) {
    take(server, handle, ends);
  } else {
    handle.made(server[kResource]);
    hooked.call(server[kResource], () => take(server, handle, ends));
  }
}

/// A connection is there, between those ends if it has any.
function take(server, handle, ends) {
  if (server.maxConnections != null && server._connections >= server.maxConnections) {
    if (ends !== undefined) server.emit('drop', ends);
    else server.emit('drop');
    handle.close();
    return;
  }
  const socket = makeSocket(server, handle);
  server.emit('connection', socket);
  tell('net.server.socket', { socket });
}

function makeSocket(server, handle) {
  const {
    Socket, settings, kManualStart, kSetNoDelay, kSetKeepAlive, kSetKeepAliveInitialDelay,
  } = require('internal/net/socket');
  const socket = new Socket({
    handle,
    manualStart: server[kManualStart] === true && !pauses(server),
    allowHalfOpen: server.allowHalfOpen,
    pauseOnCreate: pauses(server),
    readable: true,
    writable: true,
    readableHighWaterMark: server.highWaterMark,
    writableHighWaterMark: server.highWaterMark,
  });
  if (server.noDelay) socket[kSetNoDelay] = true;
  if (server.keepAlive) {
    socket[kSetKeepAlive] = true;
    socket[kSetKeepAliveInitialDelay] = server.keepAliveInitialDelay;
  }
  settings(socket);
  server._connections++;
  socket.server = server;
  socket._server = server;
  return socket;
}

prototype.address = function() {
  if (this._handle?.name !== undefined) return { ...this._handle.name };
  if (this._handle && this._pipeName) return this._pipeName;
  return null;
};

prototype.getConnections = function(callback) {
  hooked.madeBy(this[kResource], () => binding.nextTick(callback, null, this._connections + (this[kSent] ?? 0)));
  return this;
};

prototype.close = function(callback) {
  this._listeningId++;
  if (typeof callback === 'function') {
    if (this._handle) {
      this.once('close', callback);
    } else {
      this.once('close', function close() {
        const { codes: { ERR_SERVER_NOT_RUNNING } } = require('internal/errors');
        callback(new ERR_SERVER_NOT_RUNNING());
      });
    }
  }
  if (this._handle) {
    this._handle.close();
    this._handle = null;
    active.closed(this);
  }
  this._emitCloseIfDrained();
  return this;
};

prototype._emitCloseIfDrained = function() {
  if (this._handle || this._connections || this[kSent]) return;
  hooked.madeBy(this[kResource], () => binding.nextTick(() => this.emit('close')));
};

// Whether it holds the process, also when it listens later.
for (const [name, isLoose] of [['ref', false], ['unref', true]]) {
  prototype[name] = function() {
    this._unref = isLoose;
    this._handle?.[name]();
    return this;
  };
}

prototype[Symbol.asyncDispose] = async function() {
  if (this._handle) await require('util').promisify(this.close).call(this);
};

prototype[EventEmitter.captureRejectionSymbol] = function(error, event, socket) {
  if (event === 'connection') socket.destroy(error);
  else this.emit('error', error);
};

Object.defineProperty(prototype, 'listening', {
  __proto__: null,
  get() { return Boolean(this._handle); },
  enumerable: true,
  configurable: true,
});

module.exports = { Server, handOver, kPausesRaw };
