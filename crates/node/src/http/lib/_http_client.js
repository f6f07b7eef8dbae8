// ClientRequest.
//
// Uses binding.nextTick, getFrame, swapFrame.
'use strict';

const {
  codes: {
    ERR_HTTP_HEADERS_SENT, ERR_INVALID_ARG_TYPE, ERR_INVALID_HTTP_TOKEN, ERR_INVALID_PROTOCOL, ERR_UNESCAPED_CHARACTERS,
  },
} = require('internal/errors');
const { connResetException } = require('internal/http/errors');
const { checkIsHttpToken } = require('internal/http/headers');
const { HTTPParser } = require('internal/http/parser');
const { IncomingMessage } = require('_http_incoming');
const { OutgoingMessage, kNeedDrain, kOutHeaders, kUniqueHeaders, parseUniqueHeadersOption } = require('_http_outgoing');
const { validateBoolean, validateInteger } = require('internal/validators');

const kError = Symbol('kError');
const kFrame = Symbol('kFrame');

const INVALID_PATH = /[^\u0021-\u00ff]/;

function validateHost(host, name) {
  if (host !== null && host !== undefined && typeof host !== 'string') {
    throw new ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'undefined', 'null'], host);
  }
  return host;
}

/// A timeout as the timers take it.
function timerDuration(msecs, name) {
  const { validateNumber } = require('internal/validators');
  const { ERR_OUT_OF_RANGE } = require('internal/errors').codes;
  validateNumber(msecs, name);
  if (msecs < 0 || !Number.isFinite(msecs)) throw new ERR_OUT_OF_RANGE(name, 'a non-negative finite number', msecs);
  if (msecs > 2147483647) {
    binding.emitWarning(
      `${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to 2147483647.`,
      'TimeoutOverflowWarning');
    return 2147483647;
  }
  return msecs;
}

function ClientRequest(input, options, callback) {
  if (typeof input === 'string') {
    const { URL, urlToHttpOptions } = require('url');
    input = urlToHttpOptions(new URL(input));
  } else if (require('internal/url').isURL?.(input) ?? input instanceof require('internal/url').URL) {
    input = require('url').urlToHttpOptions(input);
  } else {
    callback = options;
    options = input;
    input = null;
  }
  if (typeof options === 'function') {
    callback = options;
    options = input || {};
  } else {
    options = Object.assign(input || {}, options);
  }
  OutgoingMessage.call(this, options);
  // Its connection may have served others before.
  this[kFrame] = binding.getFrame();

  const defaultAgent = options._defaultAgent || require('_http_agent').globalAgent;
  let { agent } = options;
  if (agent === false) {
    agent = new defaultAgent.constructor();
  } else if (agent === null || agent === undefined) {
    if (typeof options.createConnection !== 'function') agent = defaultAgent;
  } else if (typeof agent.addRequest !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('options.agent', ['Agent-like Object', 'undefined', 'false'], agent);
  }
  this.agent = agent;

  const protocol = options.protocol || defaultAgent.protocol;
  const expectedProtocol = this.agent?.protocol || defaultAgent.protocol;
  if (options.path && INVALID_PATH.test(String(options.path))) throw new ERR_UNESCAPED_CHARACTERS('Request path');
  if (protocol !== expectedProtocol) throw new ERR_INVALID_PROTOCOL(protocol, expectedProtocol);

  const defaultPort = options.defaultPort || this.agent?.defaultPort;
  const port = options.port = options.port || defaultPort || 80;
  const host = options.host = validateHost(options.hostname, 'hostname') || validateHost(options.host, 'host') || 'localhost';
  const setHost = options.setHost !== undefined ? Boolean(options.setHost) : true;
  this.socketPath = options.socketPath;
  if (options.timeout !== undefined) this.timeout = timerDuration(options.timeout, 'timeout');
  if (options.signal) require('internal/streams/add_abort_signal').addAbortSignal(options.signal, this);

  let { method } = options;
  if (method !== null && method !== undefined && typeof method !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('options.method', 'string', method);
  }
  if (method) {
    if (!checkIsHttpToken(method)) throw new ERR_INVALID_HTTP_TOKEN('Method', method);
    method = this.method = method.toUpperCase();
  } else {
    method = this.method = 'GET';
  }
  const { maxHeaderSize, insecureHTTPParser, joinDuplicateHeaders } = options;
  if (maxHeaderSize !== undefined) validateInteger(maxHeaderSize, 'maxHeaderSize', 0);
  this.maxHeaderSize = maxHeaderSize;
  if (insecureHTTPParser !== undefined) validateBoolean(insecureHTTPParser, 'options.insecureHTTPParser');
  this.insecureHTTPParser = insecureHTTPParser;
  if (joinDuplicateHeaders !== undefined) validateBoolean(joinDuplicateHeaders, 'options.joinDuplicateHeaders');
  this.joinDuplicateHeaders = joinDuplicateHeaders;
  this.path = options.path || '/';
  if (callback) this.once('response', callback);

  this.useChunkedEncodingByDefault = !['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'].includes(method);
  this._ended = false;
  this.res = null;
  this.aborted = false;
  this.timeoutCb = null;
  this.upgradeOrConnect = false;
  this.parser = null;
  this.maxHeadersCount = null;
  this.reusedSocket = false;
  this.host = host;
  this.protocol = protocol;

  if (this.agent) {
    // Without a limit and without keeping, each connection is for one request.
    const single = !this.agent.keepAlive && !Number.isFinite(this.agent.maxSockets);
    this._last = single;
    this.shouldKeepAlive = !single;
  }

  const isList = Array.isArray(options.headers);
  this[kUniqueHeaders] = parseUniqueHeadersOption(options.uniqueHeaders);
  if (!isList) {
    if (options.headers) for (const name of Object.keys(options.headers)) this.setHeader(name, options.headers[name]);
    if (host && !this.getHeader('host') && setHost) this.setHeader('Host', hostHeader(host, port, defaultPort));
    if (options.auth && !this.getHeader('Authorization')) {
      const { Buffer } = require('buffer');
      this.setHeader('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`);
    }
    if (this.getHeader('expect')) {
      if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
      this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`, this[kOutHeaders]);
    }
  } else {
    this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`, options.headers);
  }

  // The signal is for the request, not for the connection, which may be used by others.
  let forConnection = options;
  if (forConnection.signal) {
    forConnection = Object.assign({}, options);
    delete forConnection.signal;
  }
  if (this.agent) {
    this.agent.addRequest(this, forConnection);
    return;
  }
  // A connection of its own.
  this._last = true;
  this.shouldKeepAlive = false;
  if (forConnection.socketPath) forConnection = { ...forConnection, path: forConnection.socketPath };
  if (typeof forConnection.createConnection === 'function') {
    let created = false;
    const onCreate = (error, socket) => {
      if (created) return;
      created = true;
      if (error) binding.nextTick(sayError, this, error);
      else this.onSocket(socket);
    };
    try {
      const socket = forConnection.createConnection(forConnection, onCreate);
      if (socket) onCreate(null, socket);
    } catch (error) {
      onCreate(error);
    }
  } else {
    this.onSocket(require('net').createConnection(forConnection));
  }
}
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

const { prototype } = ClientRequest;

function sayError(request, error) {
  request.emit('error', error);
}

function hostHeader(host, port, defaultPort) {
  // An address with colons stands in brackets.
  const first = host.indexOf(':');
  if (first !== -1 && host.includes(':', first + 1) && host[0] !== '[') host = `[${host}]`;
  return port && +port !== defaultPort ? `${host}:${port}` : host;
}

prototype._finish = function _finish() {
  OutgoingMessage.prototype._finish.call(this);
  if (channels.started.hasSubscribers) channels.started.publish({ request: this });
};

prototype._implicitHeader = function _implicitHeader() {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
  this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`, this[kOutHeaders]);
};

prototype.abort = function abort() {
  if (this.aborted) return;
  this.aborted = true;
  binding.nextTick(sayAbort, this);
  this.destroy();
};

function sayAbort(request) {
  request.emit('abort');
}

prototype.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  // What is left of the response is of no use.
  this.res?._dump();
  this[kError] = error;
  this.socket?.destroy(error);
  return this;
};

/// It ends without a connection.
function endAlone(request, error) {
  if (!error && !request.res) error = connResetException('socket hang up');
  if (error) request.emit('error', error);
  request._closed = true;
  request.emit('close');
}

prototype.onSocket = function onSocket(socket, error) {
  binding.nextTick(takeSocket, this, socket, error);
};

function takeSocket(request, socket, error) {
  if (!request.destroyed && !error) {
    attach(request, socket);
    request._flush();
    return;
  }
  const reason = request[kError] || error;
  if (!socket) {
    endAlone(request, reason);
    return;
  }
  endAlone(request, reason);
  if (!error && request.agent && !socket.destroyed) {
    // Nothing was sent over it.
    socket.emit('free');
  } else {
    socket.destroy(error || request[kError]);
  }
}

/// A listener of a connection that runs in the context of the request that it serves.
function inContext(listener) {
  return function (value) {
    const request = this._httpMessage;
    if (!request) return Reflect.apply(listener, this, [value]);
    const before = binding.swapFrame(request[kFrame]);
    try {
      return Reflect.apply(listener, this, [value]);
    } finally {
      binding.swapFrame(before);
    }
  };
}

function attach(request, socket) {
  const lenient = request.insecureHTTPParser === undefined ? false : request.insecureHTTPParser;
  const parser = new HTTPParser(true, IncomingMessage, request.maxHeaderSize || require('http').maxHeaderSize, lenient);
  request.socket = socket;
  parser.socket = socket;
  parser.outgoing = request;
  parser.onIncoming = onIncoming;
  parser.joinDuplicateHeaders = Boolean(request.joinDuplicateHeaders);
  if (typeof request.maxHeadersCount === 'number') parser.maxHeaderPairs = request.maxHeadersCount << 1;
  request.parser = parser;
  socket.parser = parser;
  socket._httpMessage = request;
  socket.on('error', onError);
  socket.on('data', onData);
  socket.on('end', onEnd);
  socket.on('close', onClose);
  socket.on('drain', onDrain);
  if (request.timeout !== undefined || request.agent?.options?.timeout) listenForTimeout(request);
  request.emit('socket', socket);
}

/// Forgets the parser of a connection.
function freeParser(parser, request, socket) {
  if (parser) {
    parser.close();
    parser.socket = null;
  }
  if (request) request.parser = null;
  if (socket) socket.parser = null;
}

// The socket's events.

function onDrain() {
  const request = this._httpMessage;
  if (request && !request.finished && request[kNeedDrain]) {
    request[kNeedDrain] = false;
    request.emit('drain');
  }
}

const onClose = inContext(function onClose() {
  const request = this._httpMessage;
  const { parser } = this;
  // A body without an end of its own ends here.
  parser?.finish();
  request.destroyed = true;
  const response = request.res;
  if (response) {
    if (!response.complete) response.destroy(connResetException('aborted'));
    request._closed = true;
    request.emit('close');
    if (!response.aborted && response.readable) response.push(null);
  } else {
    if (!this._hadError) {
      this._hadError = true;
      request.emit('error', request[kError] ?? connResetException('socket hang up'));
    }
    request._closed = true;
    request.emit('close');
  }
  if (request.outputSize > 0) request.outputData = [];
  if (parser) freeParser(parser, request, this);
});

const onError = inContext(function onError(error) {
  const request = this._httpMessage;
  const { parser } = this;
  if (request) {
    // Said once; the end that follows says nothing new.
    this._hadError = true;
    request.emit('error', error);
  }
  if (parser) {
    parser.finish();
    freeParser(parser, request, this);
  }
  this.removeListener('data', onData);
  this.removeListener('end', onEnd);
  this.destroy();
});

const onEnd = inContext(function onEnd() {
  const request = this._httpMessage;
  const { parser } = this;
  if (!request.res && !this._hadError) {
    this._hadError = true;
    request.emit('error', connResetException('socket hang up'));
  }
  if (parser) {
    parser.finish();
    freeParser(parser, request, this);
  }
  this.end();
});

const onData = inContext(function onData(bytes) {
  const request = this._httpMessage;
  const { parser } = this;
  if (!parser) return;
  const taken = parser.execute(bytes);
  // Somebody may have ended it meanwhile.
  if (this.parser !== parser) return;
  if (typeof taken !== 'number') {
    freeParser(parser, request, this);
    this.removeListener('data', onData);
    this.removeListener('end', onEnd);
    this.destroy();
    this._hadError = true;
    request.emit('error', taken);
    return;
  }
  const response = parser.upgraded;
  if (response !== undefined) {
    hand(this, request, response, bytes, taken);
  } else if (parser.isDone) {
    this.removeListener('data', onData);
    this.removeListener('end', onEnd);
    this.removeListener('drain', onDrain);
    freeParser(parser, request, this);
  }
});

/// Gives the connection away: another protocol follows.
function hand(socket, request, response, bytes, taken) {
  request.res = response;
  socket.removeListener('data', onData);
  socket.removeListener('end', onEnd);
  socket.removeListener('drain', onDrain);
  if (request.timeoutCb) socket.removeListener('timeout', request.timeoutCb);
  freeParser(socket.parser, request, socket);
  const name = request.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (request.listenerCount(name) === 0) {
    // Nobody understands it.
    socket.destroy();
    return;
  }
  request.upgradeOrConnect = true;
  socket.emit('agentRemove');
  socket.removeListener('close', onClose);
  socket.removeListener('error', onError);
  socket._httpMessage = null;
  socket.readableFlowing = null;
  const { Buffer } = require('buffer');
  const head = bytes.subarray(taken);
  request.emit(name, response, socket, Buffer.from(head.buffer, head.byteOffset, head.byteLength));
  request.destroyed = true;
  request._closed = true;
  request.emit('close');
}

// Responses.

/// A response has come, with its head. The parser calls it as its method.
function onIncoming(response, keepAlive) {
  const { socket, outgoing: request } = this;
  if (request.res) {
    // Nobody asked for a second one.
    socket.destroy();
    return 0;
  }
  request.res = response;
  if (response.upgrade || request.method === 'CONNECT') {
    response.upgrade = true;
    this.upgraded = response;
    return 2;
  }
  const { statusCode } = response;
  if (statusCode < 200 && statusCode >= 100 && statusCode !== 101) {
    request.res = null;
    this.incoming = null;
    if (statusCode === 100) request.emit('continue');
    request.emit('information', {
      statusCode,
      statusMessage: response.statusMessage,
      httpVersion: response.httpVersion,
      httpVersionMajor: response.httpVersionMajor,
      httpVersionMinor: response.httpVersionMinor,
      headers: response.headers,
      rawHeaders: response.rawHeaders,
    });
    return 1;
  }
  if (request.shouldKeepAlive && !keepAlive && !request.upgradeOrConnect) request.shouldKeepAlive = false;
  if (channels.finished.hasSubscribers) channels.finished.publish({ request, response });
  response.req = request;
  // Before those of the program, so that the connection is free by the time they run.
  response.on('end', onResponseEnd);
  request.on('finish', onRequestFinish);
  if (request.aborted || !request.emit('response', response)) response._dump();
  if (request.method === 'HEAD') return 1;
  if (statusCode === 304) {
    response.complete = true;
    return 1;
  }
  return 0;
}

function onResponseEnd() {
  const request = this.req;
  const { socket } = request;
  request._ended = true;
  if (!request.shouldKeepAlive) {
    if (socket.writable) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    }
  } else if (request.writableFinished && !this.aborted) {
    // The request has left, too.
    release(request);
  }
}

function onRequestFinish() {
  if (this.shouldKeepAlive && this._ended) release(this);
}

/// The connection can serve another request.
function release(request) {
  const { socket } = request;
  if (request.timeoutCb) {
    socket.setTimeout(0);
    socket.removeListener('timeout', request.timeoutCb);
    request.timeoutCb = null;
  }
  socket.removeListener('close', onClose);
  socket.removeListener('error', onError);
  socket.removeListener('data', onData);
  socket.removeListener('end', onEnd);
  socket.removeListener('drain', onDrain);
  if (socket.parser) freeParser(socket.parser, request, socket);
  binding.nextTick(sayFree, request);
  request.destroyed = true;
  // To destroy the response must not end a connection that is another's by then.
  if (request.res) request.res.socket = null;
}

function sayFree(request) {
  request._closed = true;
  request.emit('close');
  request.socket?.emit('free');
}

// Settings of the connection, which may not be there yet.

function onSocketTimeout() {
  this._httpMessage?.emit('timeout');
}

function listenForTimeout(request) {
  if (request.timeoutCb) return;
  request.timeoutCb = onSocketTimeout;
  if (request.socket) request.socket.once('timeout', onSocketTimeout);
  else request.on('socket', (socket) => socket.once('timeout', onSocketTimeout));
}

prototype.setTimeout = function setTimeout(msecs, callback) {
  if (this._ended) return this;
  listenForTimeout(this);
  msecs = timerDuration(msecs, 'msecs');
  if (callback) this.once('timeout', callback);
  if (this.socket) setSocketTimeout(this.socket, msecs);
  else this.once('socket', (socket) => setSocketTimeout(socket, msecs));
  return this;
};

function setSocketTimeout(socket, msecs) {
  if (socket.connecting) socket.once('connect', () => socket.setTimeout(msecs));
  else socket.setTimeout(msecs);
}

prototype._deferToConnect = function _deferToConnect(method, args, callback) {
  const call = () => {
    if (method) this.socket[method](...args);
    if (typeof callback === 'function') callback();
  };
  const whenThere = () => {
    if (this.socket.connecting || !this.socket.writable) this.socket.once('connect', call);
    else call();
  };
  if (this.socket) whenThere();
  else this.once('socket', whenThere);
};

prototype.setNoDelay = function setNoDelay(noDelay) {
  this._deferToConnect('setNoDelay', [noDelay]);
};

prototype.setSocketKeepAlive = function setSocketKeepAlive(enable, initialDelay) {
  this._deferToConnect('setKeepAlive', [enable, initialDelay]);
};

prototype.clearTimeout = function clearTimeout(callback) {
  this.setTimeout(0, callback);
};

const { channel } = require('diagnostics_channel');
const channels = {
  started: channel('http.client.request.start'),
  finished: channel('http.client.response.finish'),
};

module.exports = { ClientRequest };
