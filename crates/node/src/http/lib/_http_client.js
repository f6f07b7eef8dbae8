// ClientRequest.
//
// Uses binding.nextTick, getFrame, swapFrame, currentLevel, emitWarning.
'use strict';

const { Buffer } = require('buffer');
const {
  codes: {
    ERR_HTTP_HEADERS_SENT, ERR_INVALID_ARG_TYPE, ERR_INVALID_HTTP_TOKEN, ERR_INVALID_PROTOCOL, ERR_OUT_OF_RANGE,
    ERR_UNESCAPED_CHARACTERS,
  },
} = require('internal/errors');
const { connResetException, endSoon } = require('internal/http/errors');
const { checkIsHttpToken } = require('internal/http/headers');
const log = require('internal/http/log');
const { HTTPParser, parseError, toBuffer } = require('internal/http/parser');
const { IncomingMessage } = require('_http_incoming');
const context = require('internal/context');
const { atLevel, levelIn } = require('internal/levels');
const observed = require('internal/observed');
const { OutgoingMessage, kNeedDrain, kOutHeaders, kUniqueHeaders, parseUniqueHeadersOption, withSocket } = require('_http_outgoing');
const { validateBoolean, validateInteger, validateNumber } = require('internal/validators');

const kError = Symbol('kError');
const kFrame = Symbol('kFrame');
const kLevel = Symbol('kLevel');
// When it was sent, for observers of performance.
const kStart = Symbol('kStart');

// Methods whose requests have a body only if they say so.
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/// A timeout as the timers take it.
function timerDuration(msecs, name) {
  validateNumber(msecs, name);
  if (!(msecs >= 0 && msecs < Infinity)) throw new ERR_OUT_OF_RANGE(name, 'a non-negative finite number', msecs);
  const longest = 2 ** 31 - 1;
  if (msecs <= longest) return msecs;
  binding.emitWarning(`${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to ${longest}.`,
    'TimeoutOverflowWarning');
  return longest;
}

// What a request is when nothing has happened yet.
const beginning = {
  _ended: false,
  res: null,
  aborted: false,
  timeoutCb: null,
  upgradeOrConnect: false,
  parser: null,
  maxHeadersCount: null,
  reusedSocket: false,
};

function ClientRequest(input, options, callback) {
  let settings;
  [settings, callback] = readArguments(input, options, callback);
  OutgoingMessage.call(this, settings);
  // Its connection may have served others before.
  this[kFrame] = binding.getFrame();
  const level = levelIn(settings);
  const defaultAgent = settings._defaultAgent || require('_http_agent').globalAgent;
  this.agent = agentOf(settings, defaultAgent);
  const protocol = settings.protocol || defaultAgent.protocol;
  const expected = this.agent?.protocol || defaultAgent.protocol;
  if (settings.path && /[^\u0021-\u00ff]/.test(String(settings.path))) throw new ERR_UNESCAPED_CHARACTERS('Request path');
  if (protocol !== expected) throw new ERR_INVALID_PROTOCOL(protocol, expected);

  const defaultPort = settings.defaultPort || this.agent?.defaultPort;
  settings.port = settings.port || defaultPort || 80;
  settings.host = hostOf(settings, 'hostname') || hostOf(settings, 'host') || 'localhost';
  this.socketPath = settings.socketPath;
  if (settings.timeout !== undefined) this.timeout = timerDuration(settings.timeout, 'timeout');
  if (settings.signal) require('internal/streams/add_abort_signal').addAbortSignal(settings.signal, this);
  this.method = methodOf(settings);
  const { maxHeaderSize, insecureHTTPParser, joinDuplicateHeaders } = settings;
  if (maxHeaderSize !== undefined) validateInteger(maxHeaderSize, 'maxHeaderSize', 0);
  this.maxHeaderSize = maxHeaderSize;
  if (insecureHTTPParser !== undefined) validateBoolean(insecureHTTPParser, 'options.insecureHTTPParser');
  this.insecureHTTPParser = insecureHTTPParser;
  if (joinDuplicateHeaders !== undefined) validateBoolean(joinDuplicateHeaders, 'options.joinDuplicateHeaders');
  this.joinDuplicateHeaders = joinDuplicateHeaders;
  this.path = settings.path || '/';
  if (callback) this.once('response', callback);
  this.useChunkedEncodingByDefault = !bodiless.has(this.method);
  Object.assign(this, beginning);
  this.host = settings.host;
  this.protocol = protocol;
  if (this.agent) {
    // Without a limit and without keeping, each connection is for one request.
    this._last = !this.agent.keepAlive && !Number.isFinite(this.agent.maxSockets);
    this.shouldKeepAlive = !this._last;
  }
  this[kUniqueHeaders] = parseUniqueHeadersOption(settings.uniqueHeaders);
  takeHeaders(this, settings, defaultPort);
  log.note('CLIENT request %s %s of %s:%s', this.method, this.path, settings.host, settings.port);
  // An answer comes on a connection that may have been opened, and is read, for others (rule PRIO-2).
  if (level !== undefined || context.on) this[kLevel] = level ?? binding.currentLevel();
  if (level === undefined) connect(this, settings);
  else atLevel(level, () => connect(this, settings));
}
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

const { prototype } = ClientRequest;

/// `(url, options, callback)`, of which each may be left out, as options and callback.
function readArguments(input, options, callback) {
  const { URL, isURL, urlToHttpOptions } = require('internal/url');
  let base;
  if (typeof input === 'string') {
    base = urlToHttpOptions(new URL(input));
  } else if (isURL(input)) {
    base = urlToHttpOptions(input);
  } else {
    callback = options;
    options = input;
  }
  if (typeof options === 'function') return [base ?? {}, options];
  return [Object.assign(base ?? {}, options), callback];
}

function agentOf({ agent, createConnection }, defaultAgent) {
  if (agent === false) return new defaultAgent.constructor();
  // Who makes connections needs nobody to keep them.
  if (agent === undefined || agent === null) return typeof createConnection === 'function' ? agent : defaultAgent;
  if (typeof agent.addRequest === 'function') return agent;
  throw new ERR_INVALID_ARG_TYPE('options.agent', ['Agent-like Object', 'undefined', 'false'], agent);
}

function hostOf(settings, name) {
  const host = settings[name];
  if (typeof host === 'string' || host === undefined || host === null) return host;
  throw new ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'undefined', 'null'], host);
}

function methodOf({ method }) {
  if (method !== undefined && method !== null && typeof method !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('options.method', 'string', method);
  }
  if (!method) return 'GET';
  if (!checkIsHttpToken(method)) throw new ERR_INVALID_HTTP_TOKEN('Method', method);
  return method.toUpperCase();
}

/// Headers in a list make the head as they are; to others we add our own.
function takeHeaders(request, { headers, host, port, auth, setHost }, defaultPort) {
  if (Array.isArray(headers)) {
    request._storeHeader(firstLine(request), headers);
    return;
  }
  for (const name of Object.keys(headers ?? {})) request.setHeader(name, headers[name]);
  if ((setHost === undefined || setHost) && !request.hasHeader('host')) request.setHeader('Host', hostHeader(host, port, defaultPort));
  if (auth && !request.getHeader('Authorization')) {
    request.setHeader('Authorization', `Basic ${Buffer.from(auth).toString('base64')}`);
  }
  // The other side is asked before there is a body.
  if (request.getHeader('expect')) request._implicitHeader();
}

function hostHeader(host, port, defaultPort) {
  // An address with colons stands in brackets.
  const isBare = host[0] !== '[' && host.indexOf(':') !== host.lastIndexOf(':');
  const shown = isBare ? `[${host}]` : host;
  return port && Number(port) !== defaultPort ? `${shown}:${port}` : shown;
}

function firstLine({ method, path }) {
  return `${method} ${path} HTTP/1.1\r\n`;
}

/// Asks for a connection: the agent, or whoever the program says.
function connect(request, settings) {
  // The signal is for the request; others may use the connection.
  delete settings.signal;
  if (request.agent) request.agent.addRequest(request, settings);
  else connectAlone(request, settings);
}

/// Has a connection made that no other request uses. It may be told at once, later, or both.
function connectAlone(request, wanted) {
  request._last = true;
  request.shouldKeepAlive = false;
  // To whoever makes connections a path is one of a socket.
  wanted.path = wanted.socketPath;
  let isKnown = false;
  const tell = (error, socket) => {
    if (isKnown || !(error || socket)) return;
    isKnown = true;
    if (error) binding.nextTick(sayError, request, error);
    else request.onSocket(socket);
  };
  try {
    tell(null, wanted.createConnection(wanted, tell));
  } catch (error) {
    tell(error);
  }
}

function sayError(request, error) {
  tellOf(channels.failed, request, () => ({ request, error }));
  request.emit('error', error);
}

/// Tells subscribers of a request, unless somebody else does.
function tellOf(channel, request, message) {
  if (channel.hasSubscribers && !require('internal/diagnostics').untold.has(request)) channel.publish(message());
}

prototype._finish = function _finish() {
  OutgoingMessage.prototype._finish.call(this);
  this[kStart] = observed.begin('http');
  tellOf(channels.started, this, () => ({ request: this }));
};

prototype._implicitHeader = function _implicitHeader() {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
  this._storeHeader(firstLine(this), this[kOutHeaders]);
};

prototype.abort = function abort() {
  if (!this.aborted) {
    this.aborted = true;
    binding.nextTick(sayAbort, this);
    this.destroy();
  }
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

prototype.onSocket = function onSocket(socket, error) {
  binding.nextTick(takeSocket, this, socket, error);
};

function takeSocket(request, socket, error) {
  if (!request.destroyed && !error) {
    attach(request, socket);
    request._flush();
    return;
  }
  endAlone(request, request[kError] || error || socket?.errored);
  if (!socket) return;
  // What becomes of it is nobody's business any more.
  if (socket.destroyed) socket.on('error', () => {});
  // Nothing was sent over it.
  if (!error && request.agent && !socket.destroyed) socket.emit('free');
  else socket.destroy(error || request[kError]);
}

/// It ends without a connection.
function endAlone(request, error) {
  const reason = error || (request.res || request.aborted ? undefined : connResetException('socket hang up'));
  if (reason) sayError(request, reason);
  sayClose(request);
}

function sayClose(request) {
  request.destroyed = true;
  request._closed = true;
  request.emit('close');
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
  const { insecureHTTPParser: lenient = require('internal/flags').isOn('--insecure-http-parser'), maxHeadersCount } = request;
  const parser = new HTTPParser(true, IncomingMessage, request.maxHeaderSize || require('http').maxHeaderSize, lenient);
  parser.socket = socket;
  parser.outgoing = request;
  parser.onIncoming = onIncoming;
  parser.joinDuplicateHeaders = Boolean(request.joinDuplicateHeaders);
  if (typeof maxHeadersCount === 'number') parser.maxHeaderPairs = maxHeadersCount << 1;
  if (request[kLevel] !== undefined) socket._handle?.setLevel?.(request[kLevel]);
  request.socket = socket;
  parser.made();
  request.parser = parser;
  socket.parser = parser;
  socket._httpMessage = request;
  for (let at = 0; at < events.length; at++) socket.on(events[at], listeners[events[at]]);
  if (request.timeout !== undefined || request.agent?.options?.timeout) listenForTimeout(request);
  request.emit('socket', socket);
}

/// Stops listening to some events of a connection.
function detach(socket, ...names) {
  for (let at = 0; at < names.length; at++) socket.removeListener(names[at], listeners[names[at]]);
}

/// Forgets the parser of a connection.
function freeParser(parser, request, socket) {
  parser.close();
  parser.socket = null;
  if (request) request.parser = null;
  socket.parser = null;
}

/// Gives bytes to a parser, and after them what came while it told of them. An error, or the bytes that
/// were left when another protocol began. A parser whose callback threw takes nothing more.
function executed(parser, bytes) {
  if (parser.isBroken) return parseError({ code: 'HPE_CB_HEADERS_COMPLETE', reason: 'User callback error', bytesParsed: 0 }, bytes);
  const waiting = parser.waiting = [];
  parser.isBroken = true;
  try {
    for (let next = bytes; next !== undefined; next = waiting.shift()) {
      const taken = parser.execute(next);
      parser.isBroken = false;
      if (typeof taken !== 'number') return taken;
      if (parser.upgraded !== undefined) return Buffer.concat([next.subarray(taken), ...waiting]);
    }
    return undefined;
  } finally {
    parser.waiting = undefined;
  }
}

/// What a request does about the events of its connection.
const listeners = {
  error: inContext(function onError(error) {
    const request = this._httpMessage;
    const { parser } = this;
    if (request) {
      // Said once; the end that follows says nothing new.
      this._hadError = true;
      sayError(request, error);
    }
    if (parser) {
      parser.finish();
      freeParser(parser, request, this);
    }
    detach(this, 'data', 'end');
    this.destroy();
  }),

  data: inContext(function onData(bytes) {
    const request = this._httpMessage;
    const { parser } = this;
    if (!parser) return;
    // Bytes that come during a callback wait for its end.
    if (parser.waiting !== undefined) {
      parser.waiting.push(bytes);
      return;
    }
    const outcome = executed(parser, bytes);
    // Somebody may have ended it meanwhile.
    if (this.parser !== parser || outcome === undefined) return;
    if (outcome instanceof Error) {
      freeParser(parser, request, this);
      detach(this, 'data', 'end');
      this.destroy();
      this._hadError = true;
      sayError(request, outcome);
    } else {
      hand(this, request, parser.upgraded, outcome);
    }
  }),

  end: inContext(function onEnd() {
    const request = this._httpMessage;
    const { parser } = this;
    if (!request.res) hangUp(this, request);
    if (parser) {
      parser.finish();
      freeParser(parser, request, this);
    }
    this.end();
  }),

  close: inContext(function onClose() {
    const request = this._httpMessage;
    const { parser } = this;
    // A body without an end of its own ends here.
    parser?.finish();
    request.destroyed = true;
    const response = request.res;
    if (!response) {
      hangUp(this, request);
    } else if (!response.complete) {
      response.destroy(connResetException('aborted'));
    }
    sayClose(request);
    if (response && !response.aborted && response.readable) response.push(null);
    if (request.outputSize > 0) request.outputData = [];
    if (parser) freeParser(parser, request, this);
  }),

  drain() {
    const request = this._httpMessage;
    if (!request?.finished && request?.[kNeedDrain]) {
      request[kNeedDrain] = false;
      request.emit('drain');
    }
  },
};

const events = Object.keys(listeners);

/// The connection went before there was a response. That is said once.
function hangUp(socket, request) {
  if (socket._hadError) return;
  socket._hadError = true;
  sayError(request, request[kError] ?? connResetException('socket hang up'));
}

/// Gives the connection away: another protocol follows.
function hand(socket, request, response, head) {
  request.res = response;
  detach(socket, 'data', 'end', 'drain');
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
  detach(socket, 'close', 'error');
  socket._httpMessage = null;
  // The new owner decides when to read.
  socket.readableFlowing = null;
  request.emit(name, response, socket, toBuffer(head, 0, head.length));
  request.destroyed = true;
  sayClose(request);
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
  const { statusCode } = response;
  if (response.upgrade || request.method === 'CONNECT') {
    request.res = response;
    response.upgrade = true;
    this.upgraded = response;
    return 2;
  }
  if (statusCode < 200 && statusCode >= 100 && statusCode !== 101) {
    this.incoming = null;
    if (statusCode === 100) request.emit('continue');
    const { statusMessage, httpVersion, httpVersionMajor, httpVersionMinor, headers, rawHeaders } = response;
    request.emit('information', { statusCode, statusMessage, httpVersion, httpVersionMajor, httpVersionMinor, headers, rawHeaders });
    return 1;
  }
  request.res = response;
  response.req = request;
  if (!keepAlive) request.shouldKeepAlive = false;
  observed.finish('http', 'HttpClient', request[kStart], () => detailOf(request, response));
  tellOf(channels.finished, request, () => ({ request, response }));
  socket.on('timeout', onResponseTimeout);
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

/// What observers of performance are told.
function detailOf(request, { statusCode, statusMessage, headers }) {
  const { method, protocol, host, path } = request;
  return {
    req: { method, url: `${protocol}//${host}${path}`, headers: request.getHeaders() },
    res: { statusCode, statusMessage, headers },
  };
}

function onResponseEnd() {
  const request = this.req;
  const { socket } = request;
  request._ended = true;
  if (request.shouldKeepAlive) {
    // The request has left, too.
    if (request.writableFinished && !this.aborted) release(request);
  } else if (socket.writable) {
    endSoon(socket);
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
  socket.removeListener('timeout', onResponseTimeout);
  detach(socket, ...events);
  if (socket.parser) freeParser(socket.parser, request, socket);
  request.destroyed = true;
  // So that nobody ends it by the response.
  if (request.res) request.res.socket = null;
  binding.nextTick(sayFree, request);
}

function sayFree(request) {
  sayClose(request);
  request.socket?.emit('free');
}

// Settings of the connection, which may not be there yet.

function onResponseTimeout() {
  this._httpMessage?.res?.emit('timeout');
}

function onSocketTimeout() {
  this._httpMessage?.emit('timeout');
}

/// Passes a timeout of the connection on, once.
function listenForTimeout(request) {
  if (request.timeoutCb) return;
  request.timeoutCb = onSocketTimeout;
  withSocket(request, (socket) => socket.once('timeout', onSocketTimeout));
}

/// Does it with the connection as soon as that is there and made.
function whenConnected(request, act) {
  withSocket(request, (socket) => {
    if (socket.connecting) socket.once('connect', () => act(socket));
    else act(socket);
  });
}

prototype.setTimeout = function setTimeout(msecs, callback) {
  if (this._ended) return this;
  listenForTimeout(this);
  const duration = timerDuration(msecs, 'msecs');
  if (callback) this.once('timeout', callback);
  whenConnected(this, (socket) => socket.setTimeout(duration));
  return this;
};

prototype.clearTimeout = function clearTimeout(callback) {
  this.setTimeout(0, callback);
};

prototype._deferToConnect = function _deferToConnect(method, args) {
  whenConnected(this, (socket) => socket[method](...args));
};

prototype.setNoDelay = function setNoDelay(noDelay) {
  this._deferToConnect('setNoDelay', [noDelay]);
};

prototype.setSocketKeepAlive = function setSocketKeepAlive(enable, initialDelay) {
  this._deferToConnect('setKeepAlive', [enable, initialDelay]);
};

const { channel } = require('diagnostics_channel');
const channels = {
  started: channel('http.client.request.start'),
  finished: channel('http.client.response.finish'),
  failed: channel('http.client.request.error'),
};

module.exports = { ClientRequest };
