// A connection as a server sees it: requests come in, in order, and responses go out in the same order.
//
// Listeners are the same functions for all connections, and find theirs by the socket: there may be
// very many of them.
//
// Where nobody else listens to the socket, the native parser reads it without detour.
//
// Uses binding.nextTick, now, httpPause, httpResume, httpPass, httpRested, getFrame, swapFrame, beginRequest, namesRequests,
// nameRequest.
'use strict';

const context = require('internal/context');
const EventEmitter = require('events');
const { isStream } = require('_http_incoming');
const { COMPLETE, EXPECT, HOST, HTTPParser, VERSION_SHIFT, kConnection, parseError, toBuffer } = require('internal/http/parser');
const { connResetException, endSoon } = require('internal/http/errors');
const { continueExpression } = require('internal/http/headers');
const log = require('internal/http/log');
const { kRejectNonStandardBodyWrites, kUniqueHeaders } = require('_http_outgoing');
const { StreamHandle } = require('internal/net/handle');
const { handOn, kReading } = require('internal/net/socket');
const { begin, finish, observed } = require('internal/observed');

const kConnections = Symbol('http.server.connections');
const kIncomingMessage = Symbol('IncomingMessage');
const kServerResponse = Symbol('ServerResponse');
// When a response was made, for observers of performance.
const kStart = Symbol('kStart');
const kIdleTimer = Symbol('http.server.idleTimer');

const { emit, on: emitterOn } = EventEmitter.prototype;
const kCapture = Object.getOwnPropertySymbols(EventEmitter.prototype).find(({ description }) => description === 'kCapture');

// Whether the trace tells which requests are served.
const namesRequests = binding.namesRequests();

// The method of responses, once there are some, and who takes ordinary requests for them.
let assignSocket, plainHead, isPlain;

function nop() {}

/// What a server knows about one of its connections.
class Connection {
  constructor(server, socket, parser) {
    this.server = server;
    this.socket = socket;
    this.parser = parser;
    // Requests without a finished response, and responses whose turn has not come.
    this.incoming = [];
    this.outgoing = [];
    // How many bytes wait in those.
    this.outgoingData = 0;
    this.requestsCount = 0;
    // Whether a request has come before, as far as chains are kept.
    this.hasServed = false;
    // Since when nothing has been going on; 0 if something is, -1 if the native parser knows.
    this.idleSince = 0;
    // The request that asks for another protocol, if anybody understands it.
    this.upgraded = undefined;
    // The response whose request the program is being told of, and whether it has left already.
    this.handling = null;
    this.hasLeft = false;
    this.isConsumed = false;
    // Whether the native parser still reads, for those who listen to the socket.
    this.isPassing = false;
    // Whether its last response has left.
    this.isClosing = false;
    // Whether it was told that it takes too long.
    this.isLate = false;
    // Requests begin in the context of the connection, whatever those before made of theirs.
    this.frame = binding.getFrame();
  }

  /// Lets the native parser read the socket.
  consume() {
    this.isConsumed = true;
    const { socket, parser } = this;
    const handle = socket._handle;
    // So that the stream does not read, too. To others it flows, and what they push goes to the parser.
    socket[kReading] = true;
    emitterOn.call(socket, 'data', onData);
    Object.assign(socket._readableState, { dataListening: true, flowing: true, reading: true, sync: false });
    handle.consumer = parser.native;
    if (!handle.referenced) handle.unref();
    parser.consume(handle.id, onRead);
  }

  /// Somebody listens to the socket: its bytes go to all who do.
  share() {
    if (!this.isConsumed || this.parser === null || !this.socket._handle) return;
    this.isConsumed = false;
    restoreMethods(this.socket);
    this.pass();
  }

  /// What comes next goes to the socket, which reads on from there.
  pass() {
    this.isPassing = true;
    binding.httpPass(this.parser.native);
    this.parser.consume(this.socket._handle.id, onRead);
  }
}

function readAgain(connection) {
  const { parser, socket } = connection;
  binding.swapFrame(connection.frame);
  if (connection.isConsumed && parser !== null && socket._handle) parser.consume(socket._handle.id, onRead);
}

/// What the native parser could not deal with.
function onRead(parser, fault, bytes, taken) {
  const { connection, socket } = parser;
  if (!socket?._handle) return;
  if (fault !== null || bytes === undefined || taken === -1) {
    connection.isPassing = false;
    handOn(socket, fault, bytes ?? new Uint8Array(0));
  } else {
    afterBytes(connection, socket, bytes, typeof taken === 'number' ? taken : parseError(taken, bytes));
  }
}

/// Takes a connection.
function connectionListener(socket) {
  const server = this;
  log.note('SERVER new http connection');
  socket.server = server;
  const lenient = server.insecureHTTPParser ?? require('internal/flags').isOn('--insecure-http-parser');
  const parser = new HTTPParser(false, server[kIncomingMessage], server.maxHeaderSize || require('http').maxHeaderSize, lenient);
  const connection = new Connection(server, socket, parser);
  socket[kConnection] = connection;
  parser.socket = socket;
  parser.connection = connection;
  parser.joinDuplicateHeaders = Boolean(server.joinDuplicateHeaders);
  if (typeof server.maxHeadersCount === 'number') parser.maxHeaderPairs = server.maxHeadersCount << 1;
  parser.onIncoming = onIncoming;
  parser.made(socket._handle?.resource ?? socket._handle ?? undefined);
  socket.parser = parser;
  socket.setEncoding = refuseEncoding;
  server[kConnections].add(connection);

  if (server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(server.timeout);
  for (const event of events) socket.on(event, listeners[event]);
  socket._paused = false;
  // A socket of ours that nobody reads: others are read as streams.
  if (socket._handle instanceof StreamHandle && socket[kReading] === false && socket._handle.reading === undefined &&
      socket.readableFlowing === null && socket.listenerCount('data') === 0 && socket.listenerCount('readable') === 0) {
    Object.assign(socket, methods);
    if (isPlain(server, parser)) parser.headTaken = plainHead;
    connection.consume();
  } else {
    socket.on('data', onData);
  }
}

function refuseEncoding() {
  throw new (require('internal/errors').codes.ERR_HTTP_SOCKET_ENCODING)();
}

/// The methods of a socket that is read by the parser alone, until somebody else wants its bytes.
function onAndShare(event, listener) {
  const result = Object.getPrototypeOf(this).on.call(this, event, listener);
  if (event === 'data' || event === 'readable') this[kConnection].share();
  return result;
}

function prependAndShare(event, listener) {
  const result = Object.getPrototypeOf(this).prependListener.call(this, event, listener);
  if (event === 'data' || event === 'readable') this[kConnection].share();
  return result;
}

function pauseBoth() {
  const { parser } = this[kConnection];
  if (parser !== null) binding.httpPause(parser.native);
  return Object.getPrototypeOf(this).pause.call(this);
}

function resumeBoth() {
  const connection = this[kConnection];
  if (connection.parser !== null && binding.httpResume(connection.parser.native)) binding.nextTick(readAgain, connection);
  return Object.getPrototypeOf(this).resume.call(this);
}

const methods = { on: onAndShare, addListener: onAndShare, prependListener: prependAndShare, pause: pauseBoth, resume: resumeBoth };

function restoreMethods(socket) {
  for (const name of Object.keys(methods)) delete socket[name];
}

// The socket's events.

/// Tells everybody who may want to know; without any of them the connection ends.
function onTimeout() {
  const { server, parser } = this[kConnection];
  let isHeard = false;
  for (const one of [parser?.incoming, this._httpMessage, server]) if (one?.emit('timeout', this)) isHeard = true;
  if (!isHeard) this.destroy();
}

const badRequest = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';
const answers = {
  __proto__: null,
  HPE_HEADER_OVERFLOW: 'HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\n\r\n',
  ERR_HTTP_REQUEST_TIMEOUT: 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n',
};

/// Something is wrong with the connection or with what came over it.
function onError(error) {
  // Others may follow, and are not worth a word.
  this.removeListener('error', onError);
  if (this.listenerCount('error') === 0) this.on('error', nop);
  const { server } = this[kConnection];
  if (server.emit('clientError', error, this)) return;
  // A response that has begun cannot be taken back.
  if (this.writable && (!this._httpMessage || !this._httpMessage._headerSent)) this.write(answers[error.code] ?? badRequest);
  this.destroy(error);
}

function onClose() {
  const connection = this[kConnection];
  connection.server[kConnections].delete(connection);
  if (connection.parser !== null) {
    connection.parser.free();
    connection.parser = null;
    this.parser = null;
  }
  abortIncoming(connection.incoming);
  if (this._httpMessage) close(this._httpMessage);
}

/// Nothing more comes of these requests, nor goes to them.
function abortIncoming(incoming) {
  for (const request of incoming.splice(0)) request.destroy(connResetException('aborted'));
}

function onEnd() {
  const connection = this[kConnection];
  const { parser, server } = connection;
  // Whatever else was on its way is of no interest any more.
  if (connection.isClosing) return;
  if (parser !== null) {
    const error = parser.finish();
    if (error !== undefined) {
      onError.call(this, error);
      return;
    }
  }
  if (!server.httpAllowHalfOpen) {
    this.end();
  } else if (connection.outgoing.length > 0) {
    connection.outgoing.at(-1)._last = true;
  } else if (this._httpMessage) {
    this._httpMessage._last = true;
  } else {
    this.end();
  }
}

function onDrain() {
  const connection = this[kConnection];
  const mark = this.writableHighWaterMark;
  if (this._paused && connection.outgoingData < mark && !this.writableNeedDrain) {
    this._paused = false;
    this.resume();
  }
  const response = this._httpMessage;
  if (response && !response.finished && response.writableNeedDrain) response._drained();
}

function onData(bytes) {
  const connection = this[kConnection];
  const { parser } = connection;
  if (parser === null) return;
  const taken = parser.execute(bytes);
  afterBytes(connection, this, bytes, taken);
}

/// Deals with what the parser could not take.
function afterBytes(connection, socket, bytes, taken) {
  const { parser } = connection;
  if (parser === null) return;
  if (typeof taken !== 'number') {
    parser.fail(taken);
    // What follows is refused for the same reason.
    if (connection.isConsumed) connection.share();
    else if (connection.isPassing) connection.pass();
    onError.call(socket, taken);
    return;
  }
  const request = connection.upgraded;
  if (request === undefined) return;
  connection.upgraded = undefined;
  hand(connection, socket, request, bytes.subarray(taken));
}

/// The native parser reads no more: from now on it is an ordinary socket.
function leave(connection, socket) {
  connection.isConsumed = connection.isPassing = false;
  restoreMethods(socket);
  socket[kReading] = socket._readableState.reading = false;
}

/// Gives the connection away: another protocol follows.
function hand(connection, socket, request, head) {
  const { server, parser } = connection;
  const isConsumed = connection.isConsumed || connection.isPassing;
  server[kConnections].delete(connection);
  parser.close();
  connection.parser = null;
  socket.parser = null;
  delete socket.setEncoding;
  if (isConsumed) leave(connection, socket);
  socket.removeListener('data', onData);
  for (const event of events) socket.removeListener(event, listeners[event]);
  const name = request.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (server.listenerCount(name) > 0) {
    // The new owner decides when to read.
    socket.readableFlowing = null;
    server.emit(name, request, socket, toBuffer(head, 0, head.length));
    // What comes is kept for it, and an end is told even if nobody reads.
    if (isConsumed && !socket.destroyed) socket.read(0);
  } else {
    // Nobody understands it.
    socket.destroy();
  }
}

/// What a server does about the events of its connections, but for bytes, which may go another way.
const listeners = { timeout: onTimeout, error: onError, close: onClose, end: onEnd, drain: onDrain };
const events = Object.keys(listeners);

// Requests.

/// A request has come, with its head. The parser calls it as its method.
function onIncoming(request, keepAlive) {
  const { connection } = this;
  const { server, socket } = connection;
  connection.idleSince = 0;
  if (namesRequests) binding.nameRequest(request.method, request.url);
  if (context.on) {
    binding.beginRequest(!connection.hasServed);
    connection.hasServed = true;
  }
  if (socket.timeout) socket._unrefTimer?.();
  if (request.upgrade) {
    request.upgrade = request.method === 'CONNECT' || server.listenerCount('upgrade') > 0;
    if (request.upgrade) {
      connection.upgraded = request;
      return 2;
    }
  }
  connection.incoming.push(request);
  // A client that asks faster than it takes answers has to wait. Mostly nothing waits at all.
  if ((connection.outgoingData > 0 || socket._writableState?.length !== 0) && !socket._paused &&
      (socket.writableNeedDrain || connection.outgoingData >= socket.writableHighWaterMark)) {
    socket._paused = true;
    socket.pause();
  }
  const response = new server[kServerResponse](request);
  if (server.rejectNonStandardBodyWrites) response[kRejectNonStandardBodyWrites] = true;
  if (server[kUniqueHeaders]) response[kUniqueHeaders] = server[kUniqueHeaders];
  response._keepAliveTimeout = server.keepAliveTimeout;
  response._connection = connection;
  if (!keepAlive) response.shouldKeepAlive = false;
  if (server.maxRequestsPerSocket > 0) response._maxRequestsPerSocket = server.maxRequestsPerSocket;
  if (observed.http !== 0) response[kStart] = begin('http');
  // Whoever hears that a request begins may enter a context for it.
  const frame = context.on ? binding.swapFrame(connection.frame) : undefined;
  try {
    if (channels.started._subscribers !== undefined) channels.started.publish({ request, response, socket, server });
    take(connection, response);
    if (request._flags >> VERSION_SHIFT === 11 && refuse(connection, request, response)) return 0;
    connection.handling = response;
    const listener = server._events.request;
    // Most servers have one function, and nobody in between.
    if (typeof listener === 'function' && server.emit === emit && !server[kCapture]) listener.call(server, request, response);
    else server.emit('request', request, response);
  } finally {
    connection.handling = null;
    if (context.on) binding.swapFrame(frame);
    if (connection.hasLeft) afterLeaving(connection, response);
  }
  return 0;
}

/// A response has left while the program was told of its request. Who has begun to listen since then is told as anybody else.
function afterLeaving(connection, response) {
  connection.hasLeft = false;
  if (response._events === undefined) responseFinished(response);
  else binding.nextTick(finishLater, response);
}

/// The last of a response has left.
function finishLater(response) {
  if (response.socket?._hadError) return;
  // Who has put another `emit` in its place may keep the news back, and with it all that follows.
  if (Object.hasOwn(response, 'emit')) response.prependOnceListener('finish', response._finished);
  else response._finished();
  response.emit('finish');
}

/// Gives a response the socket, or lets it wait for those before it.
function take({ outgoing, socket }, response) {
  if (socket._httpMessage) {
    response._onPendingData = onPendingData;
    outgoing.push(response);
  } else if (response._events === undefined && response.assignSocket === assignSocket) {
    // Nothing waits for it yet.
    socket._httpMessage = response;
    response.socket = socket;
  } else {
    response.assignSocket(socket);
  }
}

/// Answers what the program need not see. Whether it did.
function refuse(connection, request, response) {
  const { server } = connection;
  const flags = request._flags;
  if ((flags & HOST) === 0 && server.requireHostHeader) {
    response.writeHead(400, ['Connection', 'close']);
    response.end();
    return true;
  }
  const most = server.maxRequestsPerSocket;
  if (most > 0) {
    connection.requestsCount++;
    response.maxRequestsOnConnectionReached = most <= connection.requestsCount;
    if (most < connection.requestsCount) {
      server.emit('dropRequest', request, connection.socket);
      response.writeHead(503);
      response.end();
      return true;
    }
  }
  if ((flags & EXPECT) === 0) return false;
  meet(server, request, response);
  return true;
}

/// Does what a request expects before it sends its body, or lets the program do it.
function meet(server, request, response) {
  const isWait = response._expect_continue = continueExpression.test(request.headers.expect);
  if (server.emit(isWait ? 'checkContinue' : 'checkExpectation', request, response)) return;
  if (isWait) {
    response.writeContinue();
    server.emit('request', request, response);
  } else {
    response.writeHead(417).end();
  }
}

/// A response whose turn has not come holds back so many bytes more.
function onPendingData(change) {
  const connection = this._connection;
  const { socket } = connection;
  connection.outgoingData += change;
  if (socket._paused && connection.outgoingData < socket.writableHighWaterMark) onDrain.call(socket);
}

/// A response has left: the next one's turn.
function responseFinished(response) {
  const connection = response._connection;
  const { server, socket, incoming, outgoing } = connection;
  const { req: request } = response;
  if (observed.http !== 0) finish('http', 'HttpRequest', response[kStart], () => detailOf(request, response));
  if (channels.finished._subscribers !== undefined) channels.finished.publish({ request, response, socket, server });
  if (incoming[0] === request) incoming.shift();
  if (!request._consuming) skip(request);
  response.detachSocket(socket);
  // Who has no listeners is closed at once.
  if (response._events === undefined) response.destroyed = response._closed = true;
  else binding.nextTick(sayClose, response);
  if (response._last) {
    connection.isClosing = true;
    endSoon(socket);
  } else if (outgoing.length > 0) {
    outgoing.shift().assignSocket(socket);
  } else if (server.keepAliveTimeout > 0) {
    startIdling(server, connection);
  }
}

/// What observers of performance are told.
function detailOf({ method, url, headers }, response) {
  const { statusCode, statusMessage } = response;
  return { req: { method, url, headers }, res: { statusCode, statusMessage, headers: response.getHeaders() } };
}

/// What nobody read of a request is in the way of the next one.
/// Who listens is told of its end; nobody else can see the difference.
function skip(request) {
  const isAll = request.complete || (request._flags & COMPLETE) !== 0;
  if (isAll && !isStream(request) && request._events === undefined) request._dumped = true;
  else if (!isStream(request) || isUnwanted(request)) request._dump();
}

/// Whoever has begun to read a request decides about the rest, but who stopped before the first byte does not want it.
function isUnwanted(request) {
  return request.readableFlowing === null || (request._readableState.paused && !request.readableDidRead);
}

function sayClose(response) {
  if (!response._closed) close(response);
}

function close(response) {
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}

// Waiting for clients.

// So many connections may wait for one timer without being looked at too often.
const MANY = 1000;

// In place of an instant: since the parser has had nothing to do.
const RESTED = -1;

// A client that was told how long it may wait has so much longer, for what is on its way.
const GRACE = 1000;

/// Notes that a connection waits for its next request. One timer looks after all of them.
function startIdling(server, connection) {
  connection.idleSince = binding.now();
  watchIdle(server);
}

function watchIdle(server) {
  server[kIdleTimer] ??= require('internal/timers').guards.setTimeout(checkIdle, server.keepAliveTimeout + GRACE, server).unref();
}

/// Ends the connections that have waited long enough.
function checkIdle(server) {
  server[kIdleTimer] = undefined;
  if (!(server.keepAliveTimeout > 0)) return;
  const limit = server.keepAliveTimeout + GRACE;
  const now = binding.now();
  let next = Infinity;
  const late = [];
  for (const connection of server[kConnections]) {
    if (connection.idleSince === 0) continue;
    if (connection.idleSince === RESTED) connection.idleSince = binding.httpRested(connection.parser.native);
    // Something is on its way already.
    const due = connection.idleSince + limit;
    if (connection.parser !== null && connection.parser.since !== 0) connection.idleSince = 0;
    else if (due <= now) late.push(connection);
    else if (due < next) next = due;
  }
  if (next < Infinity) {
    const delay = Math.max(Math.ceil(next - now), server[kConnections].size > MANY ? 100 : 1);
    server[kIdleTimer] = require('internal/timers').guards.setTimeout(checkIdle, delay, server).unref();
  }
  for (const { socket } of late) socket.emit('timeout');
}

/// Looks for requests that take longer than they may.
function checkConnections(server) {
  if (!server.requestTimeout && !server.headersTimeout) return;
  const now = binding.now();
  const { ERR_HTTP_REQUEST_TIMEOUT } = require('internal/errors').codes;
  for (const connection of [...server[kConnections]]) {
    const { parser, socket } = connection;
    const since = parser === null ? 0 : parser.since;
    if (since === 0 || connection.isLate) continue;
    const limit = parser.incoming !== null ? server.requestTimeout : server.headersTimeout || server.requestTimeout;
    const late = (limit > 0 && now - since >= limit) || (server.requestTimeout > 0 && now - since >= server.requestTimeout);
    if (!late) continue;
    connection.isLate = true;
    onError.call(socket, new ERR_HTTP_REQUEST_TIMEOUT());
  }
}

const { channel } = require('diagnostics_channel');
const channels = {
  started: channel('http.server.request.start'),
  created: channel('http.server.response.created'),
  finished: channel('http.server.response.finish'),
};

/// Is told which method responses have for being given a socket, and who takes ordinary requests.
function knowResponses(prototype, plain) {
  ({ assignSocket } = prototype);
  ({ plainHead, isPlain } = plain);
}

module.exports = {
  RESTED, afterLeaving, channels, checkConnections, connectionListener, finishLater, kConnections, kIncomingMessage,
  kServerResponse, namesRequests, knowResponses, kIdleTimer, responseFinished, sayClose, watchIdle,
};
