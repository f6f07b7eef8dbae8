// Server: listens for connections.
// Uses binding.nextTick.
'use strict';

const EventEmitter = require('events');
const { ListenHandle, StreamHandle, failure } = require('internal/net/handle');
const { normalizeArgs, isPipeName, toNumber, absolute, tellChannel } = require('internal/net/arguments');

const EADDRINUSE = -98;
// What the system lets wait unless told otherwise.
const BACKLOG = 511;

function Server(options, connectionListener) {
  if (!(this instanceof Server)) return new Server(options, connectionListener);
  EventEmitter.call(this);
  if (typeof options === 'function') {
    connectionListener = options;
    options = {};
    this.on('connection', connectionListener);
  } else if (options == null || typeof options === 'object') {
    options = { ...options };
    if (typeof connectionListener === 'function') this.on('connection', connectionListener);
  } else {
    const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }
  const { validateNumber } = require('internal/validators');
  if (options.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
  if (options.highWaterMark !== undefined) {
    validateNumber(options.highWaterMark, 'options.highWaterMark');
    if (options.highWaterMark < 0) options.highWaterMark = require('stream').getDefaultHighWaterMark();
  }
  this._connections = 0;
  this._handle = null;
  this._usingWorkers = false;
  this._workers = [];
  this._unref = false;
  this._listeningId = 1;
  this.allowHalfOpen = options.allowHalfOpen || false;
  this.pauseOnConnect = Boolean(options.pauseOnConnect);
  this.noDelay = Boolean(options.noDelay);
  this.keepAlive = Boolean(options.keepAlive);
  this.keepAliveInitialDelay = ~~(options.keepAliveInitialDelay / 1000);
  this.highWaterMark = options.highWaterMark ?? require('stream').getDefaultHighWaterMark();
}
Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);

// Whether it listens for itself, whatever the cluster does.
const kExclusive = Symbol('exclusive');

const prototype = Server.prototype;

prototype.listen = function(...args) {
  const [given, callback] = normalizeArgs(args);
  const { codes } = require('internal/errors');
  if (this._handle) throw new codes.ERR_SERVER_ALREADY_LISTEN();
  if (callback !== null) this.once('listening', callback);
  const backlogGiven = toNumber(args.length > 1 && args[1]) || toNumber(args.length > 2 && args[2]);
  const options = given._handle || given.handle || given;
  if (options instanceof ListenHandle) {
    this._handle = options;
    listening(this);
    return this;
  }
  addAbortSignal(this, options);
  if (options.exclusive) this[kExclusive] = true;
  const backlog = options.backlog || backlogGiven || BACKLOG;
  if (typeof options.fd === 'number' && options.fd >= 0) {
    begin(this, { fd: options.fd, backlog: backlogGiven || BACKLOG }, null, null);
    return this;
  }
  if (args.length === 0 || typeof args[0] === 'function' || (options.port === undefined && 'port' in options) ||
      options.port === null) {
    options.port = 0;
  }
  if (typeof options.port === 'number' || typeof options.port === 'string') {
    require('internal/validators').validatePort(options.port, 'options.port');
    const wanted = { port: options.port | 0, backlog, ipv6Only: options.ipv6Only === true, reusePort: options.reusePort === true };
    if (options.host) lookupAndListen(this, wanted, options.host);
    else listenAnywhere(this, wanted);
    return this;
  }
  if (options.path && isPipeName(options.path)) {
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

function addAbortSignal(server, { signal }) {
  if (signal === undefined) return;
  require('internal/validators').validateAbortSignal(signal, 'options.signal');
  const close = () => server.close();
  if (signal.aborted) {
    binding.nextTick(close);
  } else {
    const listener = require('internal/events/abort_listener').addAbortListener(signal, close);
    server.once('close', listener[Symbol.dispose]);
  }
}

function lookupAndListen(server, wanted, host) {
  require('dns').lookup(host, (error, ip) => {
    if (error) server.emit('error', error);
    else begin(server, { ...wanted, host: ip }, ip, wanted.port);
  });
}

/// Listens at every address of the computer: of both families where there are two.
function listenAnywhere(server, wanted) {
  if (inCluster(server)) return begin(server, { ...wanted, host: '::' }, '::', wanted.port);
  try {
    server._handle = new ListenHandle({ ...wanted, host: '::', paused: server.pauseOnConnect });
  } catch (fault) {
    if (fault.errno === EADDRINUSE || fault.code !== '') refused(server, fault, '::', wanted.port);
    else begin(server, { ...wanted, host: '0.0.0.0' }, '0.0.0.0', wanted.port);
    return;
  }
  listening(server);
}

/// Whether it listens together with the same server in other processes (see `cluster`).
function inCluster(server) {
  return binding.clusterListen !== undefined && server[kExclusive] !== true;
}

function begin(server, options, address, port) {
  if (inCluster(server)) {
    binding.clusterListen(server, { ...options, paused: server.pauseOnConnect }, (fault, handle) => {
      if (fault !== null) {
        server.emit('error', require('internal/errors').exceptionWithHostPort(fault.errno, 'bind', address, port));
        return;
      }
      server._handle = handle;
      listening(server);
    });
    return;
  }
  try {
    server._handle = new ListenHandle({ ...options, paused: server.pauseOnConnect });
  } catch (fault) {
    refused(server, fault, address, port);
    return;
  }
  listening(server);
}

function refused(server, fault, address, port) {
  const error = fault.code === '' ?
    require('internal/errors').uvExceptionWithHostPort(fault.errno, 'listen', address, port) :
    failure(fault);
  binding.nextTick(() => {
    if (server._handle === null) server.emit('error', error);
  });
}

function listening(server) {
  const handle = server._handle;
  if (server._unref) handle.unref();
  handle.accept((fault, connection) => accepted(server, fault, connection));
  binding.nextTick(() => {
    if (server._handle) server.emit('listening');
  });
}

function accepted(server, fault, connection) {
  if (fault !== null) {
    server.emit('error', failure(fault));
    return;
  }
  const { id, localAddress, localPort, localFamily, remoteAddress, remotePort, remoteFamily } = connection;
  const handle = new StreamHandle(id);
  const known = localAddress !== undefined;
  if (known) handle.sockname = { address: localAddress, family: localFamily, port: localPort };
  if (remoteAddress !== undefined) handle.peername = { address: remoteAddress, family: remoteFamily, port: remotePort };
  if (server.maxConnections != null && server._connections >= server.maxConnections) {
    if (known) {
      server.emit('drop', { localAddress, localPort, localFamily, remoteAddress, remotePort, remoteFamily });
    } else {
      server.emit('drop');
    }
    handle.close();
    return;
  }
  const socket = makeSocket(server, handle);
  server.emit('connection', socket);
  tellChannel('net.server.socket', socket);
}

function makeSocket(server, handle) {
  const {
    Socket, settings, kManualStart, kSetNoDelay, kSetKeepAlive, kSetKeepAliveInitialDelay,
  } = require('internal/net/socket');
  const socket = new Socket({
    handle,
    manualStart: server[kManualStart] === true && !server.pauseOnConnect,
    allowHalfOpen: server.allowHalfOpen,
    pauseOnCreate: server.pauseOnConnect,
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
  binding.nextTick(callback, null, this._connections);
  return this;
};

prototype.close = function(callback) {
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
  }
  this._emitCloseIfDrained();
  return this;
};

prototype._emitCloseIfDrained = function() {
  if (this._handle || this._connections) return;
  binding.nextTick(() => this.emit('close'));
};

prototype.ref = function() {
  this._unref = false;
  if (this._handle) this._handle.ref();
  return this;
};

prototype.unref = function() {
  this._unref = true;
  if (this._handle) this._handle.unref();
  return this;
};

prototype[Symbol.asyncDispose] = async function() {
  if (!this._handle) return;
  await require('util').promisify(this.close).call(this);
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

module.exports = { Server };
