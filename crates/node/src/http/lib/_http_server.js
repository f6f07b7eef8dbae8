// Server and ServerResponse.
//
// Uses binding.nextTick, httpSend, httpStoreHead.
'use strict';

const { Buffer } = require('buffer');
const EventEmitter = require('events');
const net = require('net');
const {
  codes: {
    ERR_HTTP_HEADERS_SENT, ERR_HTTP_INVALID_STATUS_CODE, ERR_HTTP_SOCKET_ASSIGNED, ERR_INVALID_ARG_VALUE,
    ERR_INVALID_CHAR,
  },
} = require('internal/errors');
const {
  channels, checkConnections, connectionListener, kConnections, kIncomingMessage, kServerResponse, knowResponses,
  responseFinished,
} = require('internal/http/connection');
const { checkInvalidHeaderChar } = require('internal/http/headers');
const { kVersion } = require('internal/http/parser');
const STATUS_CODES = require('internal/http/statuses');
const { kManualStart, writesAtOnce } = require('internal/net/socket');
const { IncomingMessage } = require('_http_incoming');
const {
  OutgoingMessage, kNeedDrain, kOutHeaders, kUniqueHeaders, kHighWaterMark, kRejectNonStandardBodyWrites,
  parseUniqueHeadersOption,
} = require('_http_outgoing');
const { validateBoolean, validateInteger, validateLinkHeaderValue, validateObject } = require('internal/validators');

const kConnectionsCheckingInterval = Symbol('http.server.connectionsCheckingInterval');

function ServerResponse(request, options) {
  if (options !== undefined) {
    if (options.highWaterMark !== undefined) this[kHighWaterMark] = options.highWaterMark;
    if (options.rejectNonStandardBodyWrites) this[kRejectNonStandardBodyWrites] = true;
  }
  this.req = request;
  if (request.method === 'HEAD') this._hasBody = false;
  const version = request[kVersion];
  if (version !== 11 && (request.httpVersionMajor < 1 || (request.httpVersionMajor === 1 && request.httpVersionMinor < 1))) {
    this.useChunkedEncodingByDefault = /(?:^|\W)chunked(?:$|\W)/i.test(request.headers?.te);
    this.shouldKeepAlive = false;
  }
  if (channels.created._subscribers !== undefined) channels.created.publish({ request, response: this });
}
Object.setPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ServerResponse, OutgoingMessage);

const { prototype } = ServerResponse;
// Where they are found sooner.
for (const name of Reflect.ownKeys(OutgoingMessage.prototype)) {
  const property = Object.getOwnPropertyDescriptor(OutgoingMessage.prototype, name);
  if ('value' in property && !property.enumerable && typeof property.value !== 'function') Object.defineProperty(prototype, name, property);
}
Object.assign(prototype, { statusCode: 200, statusMessage: undefined });
for (const [name, value] of [
  ['sendDate', true], ['_sent100', false], ['_expect_continue', false], ['_maxRequestsPerSocket', 0], ['_connection', undefined],
  ['_hasLeft', false],
]) {
  Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: false });
}

prototype.assignSocket = function assignSocket(socket) {
  if (socket._httpMessage) throw new ERR_HTTP_SOCKET_ASSIGNED();
  socket._httpMessage = this;
  this.socket = socket;
  // One of our own connections tells by itself when it closes.
  if (this._connection === undefined) {
    this._onSocketClose = () => closeResponse(this);
    socket.on('close', this._onSocketClose);
  }
  // Somebody may wait for it: what was to happen to the connection when it comes.
  if (this._events !== undefined) this.emit('socket', socket);
  this._flush();
};

knowResponses(prototype);

function closeResponse(response) {
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}

prototype.detachSocket = function detachSocket(socket) {
  if (this._onSocketClose !== undefined) socket.removeListener('close', this._onSocketClose);
  socket._httpMessage = null;
  this.socket = null;
};

/// The last of it has left.
prototype._finished = function _finished() {
  if (this._connection !== undefined) responseFinished(this);
};

/// Small bodies leave with their head, in one piece and without detour.
const SMALL = 64 * 1024;

const LATIN1_HEAD = 1;
const LATIN1_BODY = 2;
const CHUNKED = 4;

/// Ends a response of which nothing has been sent. False if that needs more than one write.
prototype._endAtOnce = function _endAtOnce(chunk, encoding) {
  const { socket } = this;
  if (socket === null || socket._httpMessage !== this || this._connection === undefined || this.outputSize !== 0 ||
      this.strictContentLength || this.writableCorked > 0 || this.destroyed || this[kRejectNonStandardBodyWrites] ||
      !writesAtOnce(socket)) {
    return false;
  }
  const isText = typeof chunk === 'string';
  let flags = LATIN1_HEAD;
  if (isText) {
    if (chunk.length > SMALL) return false;
    if (encoding === 'latin1') flags |= LATIN1_BODY;
    else if (encoding && encoding !== 'utf8' && encoding !== 'utf-8') return false;
  } else if (chunk) {
    if (!(chunk instanceof Uint8Array) || chunk.length > SMALL) return false;
  }
  if (!this._header) {
    if (!chunk) this._contentLength = 0;
    else this._contentLength = isText ? Buffer.byteLength(chunk, encoding) : chunk.length;
    this._implicitHeader();
  }
  if (!this._hasBody) chunk = undefined;
  else if (this.chunkedEncoding) flags |= CHUNKED;
  // A head that goes with a text is written as the text is.
  else if (isText && (flags & LATIN1_BODY) === 0) flags &= ~LATIN1_HEAD;
  const handle = socket._handle;
  let sent;
  try {
    sent = binding.httpSend(handle.id, this._header, chunk || undefined, flags, this._trailer);
  } catch (fault) {
    socket.destroy(require('internal/net/handle').failure(fault));
    return true;
  }
  this._headerSent = true;
  this.finished = true;
  if (typeof sent !== 'number') {
    // The rest waits as anything else does.
    socket.write(sent, () => finishLater(this));
  } else {
    handle.bytesWritten += sent;
    if (socket.timeout) socket._unrefTimer();
    // Who has no listeners does not mind when it is through.
    if (this._events === undefined && this._connection.handling === this) this._hasLeft = true;
    else binding.nextTick(finishLater, this);
  }
  if (this._events !== undefined) this._finish();
  return true;
};

function finishLater(response) {
  if (response.socket?._hadError) return;
  response._finished();
  response.emit('finish');
}

prototype._drained = function _drained() {
  this[kNeedDrain] = false;
  this.emit('drain');
};

prototype.writeContinue = function writeContinue(callback) {
  this._writeRaw('HTTP/1.1 100 Continue\r\n\r\n', 'ascii', callback);
  this._sent100 = true;
};

prototype.writeProcessing = function writeProcessing(callback) {
  this._writeRaw('HTTP/1.1 102 Processing\r\n\r\n', 'ascii', callback);
};

prototype.writeEarlyHints = function writeEarlyHints(hints, callback) {
  validateObject(hints, 'hints');
  if (hints.link === null || hints.link === undefined) return;
  const link = validateLinkHeaderValue(hints.link);
  if (link.length === 0) return;
  let head = `HTTP/1.1 103 Early Hints\r\nLink: ${link}\r\n`;
  for (const key of Object.keys(hints)) if (key !== 'link') head += `${key}: ${hints[key]}\r\n`;
  this._writeRaw(`${head}\r\n`, 'ascii', callback);
};

prototype._implicitHeader = function _implicitHeader() {
  this.writeHead(this.statusCode);
};

prototype.writeHead = function writeHead(statusCode, reason, headers) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('write');
  const given = statusCode;
  statusCode |= 0;
  if (statusCode < 100 || statusCode > 999) throw new ERR_HTTP_INVALID_STATUS_CODE(given);
  if (typeof reason === 'string') {
    this.statusMessage = reason;
  } else {
    this.statusMessage ||= STATUS_CODES[statusCode] || 'unknown';
    headers ??= reason;
  }
  const { statusMessage } = this;
  if (this.statusCode !== statusCode) this.statusCode = statusCode;
  let all = headers;
  if (this[kOutHeaders] !== null) {
    mergeHeaders(this, headers);
    all = this[kOutHeaders];
  }
  if (statusMessage !== STATUS_CODES[statusCode] && checkInvalidHeaderChar(statusMessage)) {
    throw new ERR_INVALID_CHAR('statusMessage');
  }
  if (statusCode === 204 || statusCode === 304 || statusCode < 200) this._hasBody = false;
  // A client that waits for a word before it sends its body has not got it: it may send it or not.
  if (this._expect_continue && !this._sent100) this.shouldKeepAlive = false;
  const firstLine = statusCode === 200 && statusMessage === 'OK' ? 'HTTP/1.1 200 OK\r\n' : `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`;
  if (!storesHead(this, firstLine, all)) this._storeHeader(firstLine, all);
  return this;
};

// What the flags of a head to be written say; http/store.rs has the same numbers.
const DATE = 1;
const KEEP_ALIVE = 2;
const HAS_BODY = 4;
const PAIRS = 8;

/// Writes an ordinary head in one go. False if it is not one.
function storesHead(response, firstLine, headers) {
  const { _connection: connection } = response;
  if (connection === undefined || !response.useChunkedEncodingByDefault || response._removedAny || response.maxRequestsOnConnectionReached || response._maxRequestsPerSocket > 0 ||
      response._storeHeader !== OutgoingMessage.prototype._storeHeader || response[kUniqueHeaders] !== null) {
    return false;
  }
  let flags = response.sendDate ? DATE : 0;
  if (response.shouldKeepAlive) flags |= KEEP_ALIVE;
  if (response._hasBody) flags |= HAS_BODY;
  if (headers && headers === response[kOutHeaders]) flags |= PAIRS;
  const length = response._contentLength;
  const seconds = Math.floor(response._keepAliveTimeout / 1000);
  // That would say that it is not kept at all.
  if (seconds === 0 && response._keepAliveTimeout > 0) return false;
  return binding.httpStoreHead(response, firstLine, headers || undefined, flags, typeof length === 'number' ? length : -1, seconds);
}

/// Adds headers to those that were set before.
function mergeHeaders(response, headers) {
  if (Array.isArray(headers)) {
    if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
    // Each replaces what was set, and is added to those before it in the list.
    for (let n = 0; n < headers.length; n += 2) {
      if (headers[n]) response.removeHeader(headers[n]);
    }
    for (let n = 0; n < headers.length; n += 2) {
      if (headers[n]) response.appendHeader(headers[n], headers[n + 1]);
    }
  } else if (headers) {
    for (const name of Object.keys(headers)) if (name) response.setHeader(name, headers[name]);
  }
}

prototype.writeHeader = prototype.writeHead;
for (const name of ['_drained', '_endAtOnce', '_finished']) Object.defineProperty(prototype, name, { enumerable: false });

function storeHTTPOptions(options) {
  this[kIncomingMessage] = options.IncomingMessage || IncomingMessage;
  this[kServerResponse] = options.ServerResponse || ServerResponse;
  const { maxHeaderSize, insecureHTTPParser, requestTimeout, headersTimeout, keepAliveTimeout } = options;
  if (maxHeaderSize !== undefined) validateInteger(maxHeaderSize, 'maxHeaderSize', 0);
  this.maxHeaderSize = maxHeaderSize;
  if (insecureHTTPParser !== undefined) validateBoolean(insecureHTTPParser, 'options.insecureHTTPParser');
  this.insecureHTTPParser = insecureHTTPParser;
  if (requestTimeout !== undefined) validateInteger(requestTimeout, 'requestTimeout', 0);
  this.requestTimeout = requestTimeout ?? 300_000;
  if (headersTimeout !== undefined) validateInteger(headersTimeout, 'headersTimeout', 0);
  this.headersTimeout = headersTimeout ?? Math.min(60_000, this.requestTimeout);
  if (this.requestTimeout > 0 && this.headersTimeout > 0 && this.headersTimeout > this.requestTimeout) {
    const { ERR_OUT_OF_RANGE } = require('internal/errors').codes;
    throw new ERR_OUT_OF_RANGE('headersTimeout', '<= requestTimeout', headersTimeout);
  }
  if (keepAliveTimeout !== undefined) validateInteger(keepAliveTimeout, 'keepAliveTimeout', 0);
  this.keepAliveTimeout = keepAliveTimeout ?? 5_000;
  const { connectionsCheckingInterval, requireHostHeader, joinDuplicateHeaders, rejectNonStandardBodyWrites } = options;
  if (connectionsCheckingInterval !== undefined) validateInteger(connectionsCheckingInterval, 'connectionsCheckingInterval', 0);
  this.connectionsCheckingInterval = connectionsCheckingInterval ?? 30_000;
  if (requireHostHeader !== undefined) validateBoolean(requireHostHeader, 'options.requireHostHeader');
  this.requireHostHeader = requireHostHeader ?? true;
  if (joinDuplicateHeaders !== undefined) validateBoolean(joinDuplicateHeaders, 'options.joinDuplicateHeaders');
  this.joinDuplicateHeaders = joinDuplicateHeaders;
  if (rejectNonStandardBodyWrites !== undefined) validateBoolean(rejectNonStandardBodyWrites, 'options.rejectNonStandardBodyWrites');
  this.rejectNonStandardBodyWrites = rejectNonStandardBodyWrites ?? false;
}

/// Looks after slow clients as long as the server listens.
function setupConnectionsTracking() {
  this[kConnections] ??= new Set();
  if (this[kConnectionsCheckingInterval]) clearInterval(this[kConnectionsCheckingInterval]);
  const { setInterval } = require('internal/timers').guards;
  this[kConnectionsCheckingInterval] = setInterval(checkConnections, this.connectionsCheckingInterval, this).unref();
}

function clearInterval(timer) {
  require('timers').clearInterval(timer);
}

function httpServerPreClose(server) {
  server.closeIdleConnections();
  if (server[kConnectionsCheckingInterval]) clearInterval(server[kConnectionsCheckingInterval]);
}

function Server(options, requestListener) {
  if (!(this instanceof Server)) return new Server(options, requestListener);
  if (typeof options === 'function') {
    requestListener = options;
    options = {};
  } else if (options == null) {
    options = {};
  } else {
    validateObject(options, 'options');
  }
  storeHTTPOptions.call(this, options);
  net.Server.call(this, {
    allowHalfOpen: true,
    noDelay: options.noDelay ?? true,
    keepAlive: options.keepAlive,
    keepAliveInitialDelay: options.keepAliveInitialDelay,
    highWaterMark: options.highWaterMark,
  });
  if (requestListener) this.on('request', requestListener);
  this.httpAllowHalfOpen = false;
  this.on('connection', connectionListener);
  this.on('listening', setupConnectionsTracking);
  this.timeout = 0;
  this.maxHeadersCount = null;
  this.maxRequestsPerSocket = 0;
  this[kConnections] = new Set();
  this[kUniqueHeaders] = parseUniqueHeadersOption(options.uniqueHeaders);
}

Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);
Server.prototype[kManualStart] = true;

Server.prototype.close = function close() {
  httpServerPreClose(this);
  Reflect.apply(net.Server.prototype.close, this, arguments);
  return this;
};

Server.prototype[Symbol.asyncDispose] = async function() {
  return new Promise((resolve, reject) => {
    this.close((error) => (error ? reject(error) : resolve()));
  });
};

Server.prototype.closeAllConnections = function closeAllConnections() {
  if (!this[kConnections]) return;
  for (const { socket } of [...this[kConnections]]) socket.destroy();
};

Server.prototype.closeIdleConnections = function closeIdleConnections() {
  if (!this[kConnections]) return;
  for (const connection of [...this[kConnections]]) {
    // One that never sent anything waits for its first request, which Node does not call idle.
    const { parser, socket } = connection;
    if (parser !== null && parser.incoming === null && connection.incoming.length === 0 && !socket._httpMessage && parser.since === 0) {
      socket.destroy();
    }
  }
};

Server.prototype.setTimeout = function setTimeout(msecs, callback) {
  this.timeout = msecs;
  if (callback) this.on('timeout', callback);
  return this;
};

Server.prototype[EventEmitter.captureRejectionSymbol] = function(error, event, ...args) {
  if (event !== 'request') {
    net.Server.prototype[EventEmitter.captureRejectionSymbol].call(this, error, event, ...args);
    return;
  }
  const [, response] = args;
  if (!response.headersSent && !response.writableEnded) {
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    response.statusCode = 500;
    response.end(STATUS_CODES[500]);
  } else {
    response.destroy();
  }
};

module.exports = {
  STATUS_CODES, Server, ServerResponse, setupConnectionsTracking, storeHTTPOptions,
  _connectionListener: connectionListener, kServerResponse, httpServerPreClose, kConnectionsCheckingInterval,
};
