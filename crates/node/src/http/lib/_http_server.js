// Server.
'use strict';

const EventEmitter = require('events');
const net = require('net');
const { checkConnections, connectionListener, kConnections, kIncomingMessage, kServerResponse } = require('internal/http/connection');
const { ServerResponse } = require('internal/http/response');
const STATUS_CODES = require('internal/http/statuses');
const { kManualStart } = require('internal/net/socket');
const { IncomingMessage } = require('_http_incoming');
const { kUniqueHeaders, parseUniqueHeadersOption } = require('_http_outgoing');
const { validateBoolean, validateInteger, validateObject } = require('internal/validators');

const kConnectionsCheckingInterval = Symbol('http.server.connectionsCheckingInterval');

const isCount = (value, name) => validateInteger(value, name, 0);
const isFlag = (value, name) => validateBoolean(value, `options.${name}`);

/// The settings of a server: what they may be, and what they are if nobody says.
const settings = [
  ['maxHeaderSize', isCount, () => undefined],
  ['insecureHTTPParser', isFlag, () => undefined],
  ['requestTimeout', isCount, () => 300_000],
  ['headersTimeout', isCount, ({ requestTimeout }) => Math.min(60_000, requestTimeout)],
  ['keepAliveTimeout', isCount, () => 5_000],
  ['connectionsCheckingInterval', isCount, () => 30_000],
  ['requireHostHeader', isFlag, () => true],
  ['joinDuplicateHeaders', isFlag, () => undefined],
  ['rejectNonStandardBodyWrites', isFlag, () => false],
];

/// Gives a server of either protocol its settings, before it becomes a server of `net` or `tls`.
function configure(server, options) {
  server[kIncomingMessage] = options.IncomingMessage || IncomingMessage;
  server[kServerResponse] = options.ServerResponse || ServerResponse;
  for (const [name, check, standard] of settings) {
    const given = options[name];
    if (given !== undefined) check(given, name);
    server[name] = given ?? standard(server);
  }
  const { headersTimeout, requestTimeout } = server;
  if (requestTimeout > 0 && headersTimeout > requestTimeout) {
    const { ERR_OUT_OF_RANGE } = require('internal/errors').codes;
    throw new ERR_OUT_OF_RANGE('headersTimeout', '<= requestTimeout', headersTimeout);
  }
}

/// Makes a server of `net` or `tls` one of HTTP; `event` says that a connection is there.
function serveHttp(server, event, options, requestListener) {
  if (requestListener) server.on('request', requestListener);
  server.on(event, connectionListener);
  server.on('listening', watchConnections);
  server.httpAllowHalfOpen = false;
  server.timeout = 0;
  server.maxHeadersCount = null;
  server.maxRequestsPerSocket = 0;
  server[kConnections] = new Set();
  server[kUniqueHeaders] = parseUniqueHeadersOption(options.uniqueHeaders);
}

/// `(options, requestListener)`, of which each may be left out.
function readArguments(options, requestListener) {
  if (typeof options === 'function') return [{}, options];
  if (options !== undefined && options !== null) validateObject(options, 'options');
  return [options ?? {}, requestListener];
}

function Server(options, requestListener) {
  if (!(this instanceof Server)) return new Server(options, requestListener);
  const [given, listener] = readArguments(options, requestListener);
  configure(this, given);
  const { noDelay = true, keepAlive, keepAliveInitialDelay, highWaterMark, priority } = given;
  net.Server.call(this, { allowHalfOpen: true, noDelay, keepAlive, keepAliveInitialDelay, highWaterMark, priority });
  serveHttp(this, 'connection', given, listener);
}
Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);

/// Looks after slow clients as long as the server listens.
function watchConnections() {
  this[kConnections] ??= new Set();
  unwatchConnections(this);
  const { setInterval } = require('internal/timers').guards;
  this[kConnectionsCheckingInterval] = setInterval(checkConnections, this.connectionsCheckingInterval, this).unref();
}

function unwatchConnections(server) {
  const timer = server[kConnectionsCheckingInterval];
  if (timer) require('timers').clearInterval(timer);
}

/// Whether a connection waits for another request. One that never sent anything waits for its first,
/// which Node does not call idle.
function isIdle({ parser, socket, incoming }) {
  return parser !== null && parser.incoming === null && incoming.length === 0 && !socket._httpMessage && parser.since === 0;
}

function destroyConnections(server, isMeant) {
  for (const connection of [...server[kConnections] ?? []]) if (isMeant(connection)) connection.socket.destroy();
}

/// The methods of a server of HTTP over servers of `Base`.
const methodsOver = (Base) => ({
  close(...args) {
    this.closeIdleConnections();
    unwatchConnections(this);
    Reflect.apply(Base.prototype.close, this, args);
    return this;
  },

  closeAllConnections() {
    destroyConnections(this, () => true);
  },

  closeIdleConnections() {
    destroyConnections(this, isIdle);
  },

  setTimeout(msecs, callback) {
    if (callback) this.on('timeout', callback);
    this.timeout = msecs;
    return this;
  },
});

Object.assign(Server.prototype, methodsOver(net.Server));
Server.prototype[kManualStart] = true;

Server.prototype[Symbol.asyncDispose] = function() {
  return new Promise((resolve, reject) => {
    this.close((error) => (error ? reject(error) : resolve()));
  });
};

/// A listener of requests that is an async function and rejected.
Server.prototype[EventEmitter.captureRejectionSymbol] = function(error, event, ...args) {
  if (event !== 'request') {
    Reflect.apply(net.Server.prototype[EventEmitter.captureRejectionSymbol], this, [error, event, ...args]);
    return;
  }
  const response = args[1];
  if (response.headersSent || response.writableEnded) {
    response.destroy();
    return;
  }
  response.getHeaderNames().forEach((name) => response.removeHeader(name));
  response.statusCode = 500;
  response.end(STATUS_CODES[500]);
};

module.exports = {
  STATUS_CODES, Server, ServerResponse, _connectionListener: connectionListener,
  configure, kConnectionsCheckingInterval, methodsOver, readArguments, serveHttp,
};
