// A connection as a server sees it: requests come in, in order, and responses go out in the same order.
//
// Listeners are the same functions for all connections, and find theirs by the socket: there may be
// very many of them.
//
// Uses binding.nextTick, now.
'use strict';

const { isStream } = require('_http_incoming');
const { COMPLETE, EXPECT, HOST, HTTPParser, kFlags, kVersion } = require('internal/http/parser');
const { connResetException } = require('internal/http/errors');
const { continueExpression } = require('internal/http/headers');
const { kRejectNonStandardBodyWrites } = require('_http_outgoing');

const kConnections = Symbol('http.server.connections');
const kIncomingMessage = Symbol('IncomingMessage');
const kServerResponse = Symbol('ServerResponse');
const kConnection = Symbol('kConnection');
const kIdle = Symbol('http.server.idle');

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
    // When the request that is being read began; undefined between requests.
    this.since = binding.now();
    this.headRead = false;
    // Since when nothing has been going on; 0 if something is.
    this.idleSince = 0;
    // Whether its last response has left.
    this.isClosing = false;
  }
}

/// Takes a connection.
function connectionListener(socket) {
  const server = this;
  socket.server = server;
  const lenient = server.insecureHTTPParser === undefined ? false : server.insecureHTTPParser;
  const parser = new HTTPParser(false, server[kIncomingMessage], server.maxHeaderSize || require('http').maxHeaderSize, lenient);
  const connection = new Connection(server, socket, parser);
  socket[kConnection] = connection;
  parser.socket = socket;
  parser.connection = connection;
  parser.joinDuplicateHeaders = Boolean(server.joinDuplicateHeaders);
  if (typeof server.maxHeadersCount === 'number') parser.maxHeaderPairs = server.maxHeadersCount << 1;
  parser.onIncoming = onIncoming;
  socket.parser = parser;
  server[kConnections].add(connection);

  if (server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(server.timeout);
  socket.on('timeout', onTimeout);
  socket.on('error', onError);
  socket.on('close', onClose);
  socket.on('end', onEnd);
  socket.on('drain', onDrain);
  socket.on('data', onData);
  socket._paused = false;
}

// The socket's events.

function onTimeout() {
  const connection = this[kConnection];
  const { server, parser } = connection;
  const request = parser?.incoming;
  const requestListens = request && !request.complete && request.emit('timeout', this);
  const response = this._httpMessage;
  const responseListens = response && response.emit('timeout', this);
  const serverListens = server.emit('timeout', this);
  if (!requestListens && !responseListens && !serverListens) this.destroy();
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
  connection.server[kIdle]?.delete(connection);
  if (connection.parser !== null) {
    connection.parser.close();
    connection.parser = null;
    this.parser = null;
  }
  abortIncoming(connection.incoming);
  const response = this._httpMessage;
  if (response) {
    response.destroyed = true;
    response._closed = true;
    response.emit('close');
  }
}

function abortIncoming(incoming) {
  while (incoming.length > 0) {
    const request = incoming.shift();
    request.destroy(connResetException('aborted'));
  }
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
    abortIncoming(connection.incoming);
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
  connection.idleSince = 0;
  connection.since ??= binding.now();
  const taken = parser.execute(bytes);
  afterBytes(connection, this, bytes, taken);
}

/// Deals with what the parser could not take.
function afterBytes(connection, socket, bytes, taken) {
  const { parser } = connection;
  if (parser === null) return;
  if (typeof taken !== 'number') {
    parser.close();
    onError.call(socket, taken);
    return;
  }
  const request = connection.upgraded;
  if (request === undefined) return;
  connection.upgraded = undefined;
  hand(connection, socket, request, bytes.subarray(taken));
}

/// Gives the connection away: another protocol follows.
function hand(connection, socket, request, head) {
  const { server, parser } = connection;
  server[kConnections].delete(connection);
  server[kIdle]?.delete(connection);
  parser.close();
  connection.parser = null;
  socket.parser = null;
  socket.removeListener('data', onData);
  socket.removeListener('end', onEnd);
  socket.removeListener('close', onClose);
  socket.removeListener('drain', onDrain);
  socket.removeListener('error', onError);
  socket.removeListener('timeout', onTimeout);
  const name = request.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (server.listenerCount(name) > 0) {
    const { Buffer } = require('buffer');
    // The new owner decides when to read.
    socket.readableFlowing = null;
    server.emit(name, request, socket, Buffer.from(head.buffer, head.byteOffset, head.byteLength));
  } else {
    // Nobody understands it.
    socket.destroy();
  }
}

// Requests.

/// A request has come, with its head. The parser calls it as its method.
function onIncoming(request, keepAlive) {
  const { connection } = this;
  const { server, socket } = connection;
  connection.headRead = true;
  if ((request[kFlags] & COMPLETE) !== 0) connection.since = undefined;
  if (connection.timeoutChanged) {
    connection.timeoutChanged = false;
    socket.setTimeout(server.timeout || 0);
  }
  if (request.upgrade) {
    request.upgrade = request.method === 'CONNECT' || server.listenerCount('upgrade') > 0;
    if (request.upgrade) {
      connection.upgraded = request;
      return 2;
    }
  }
  connection.incoming.push(request);
  // A client that asks faster than it takes answers has to wait.
  if (!socket._paused && (socket.writableNeedDrain || connection.outgoingData >= socket.writableHighWaterMark)) {
    socket._paused = true;
    socket.pause();
  }
  const response = new server[kServerResponse](request);
  if (server.rejectNonStandardBodyWrites) response[kRejectNonStandardBodyWrites] = true;
  response._keepAliveTimeout = server.keepAliveTimeout;
  response._connection = connection;
  if (!keepAlive) response.shouldKeepAlive = false;
  if (server.maxRequestsPerSocket > 0) response._maxRequestsPerSocket = server.maxRequestsPerSocket;
  if (channels.started.hasSubscribers) channels.started.publish({ request, response, socket, server });
  if (socket._httpMessage) {
    response._onPendingData = onPendingData;
    connection.outgoing.push(response);
  } else {
    response.assignSocket(socket);
  }
  if (request[kVersion] === 11 && refuse(connection, request, response)) return 0;
  server.emit('request', request, response);
  return 0;
}

/// Answers what the program need not see. Whether it did.
function refuse(connection, request, response) {
  const { server } = connection;
  const flags = request[kFlags];
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
  if (continueExpression.test(request.headers.expect)) {
    response._expect_continue = true;
    if (server.listenerCount('checkContinue') > 0) {
      server.emit('checkContinue', request, response);
    } else {
      response.writeContinue();
      server.emit('request', request, response);
    }
  } else if (server.listenerCount('checkExpectation') > 0) {
    server.emit('checkExpectation', request, response);
  } else {
    response.writeHead(417);
    response.end();
  }
  return true;
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
  const { server, socket, incoming } = connection;
  const request = response.req;
  if (channels.finished.hasSubscribers) channels.finished.publish({ request, response, socket, server });
  if (incoming.length > 0 && incoming[0] === request) incoming.shift();
  // What nobody read is in the way of the next request.
  if (!request._consuming) {
    if (request.complete && !isStream(request)) request._dumped = true;
    else request._dump();
  }
  response.detachSocket(socket);
  binding.nextTick(sayClose, response);
  if (response._last) {
    connection.isClosing = true;
    if (typeof socket.destroySoon === 'function') socket.destroySoon();
    else socket.end();
  } else if (connection.outgoing.length === 0) {
    if (server.keepAliveTimeout > 0 && typeof socket.setTimeout === 'function') {
      connection.timeoutChanged = true;
      socket.setTimeout(server.keepAliveTimeout);
    }
  } else {
    connection.outgoing.shift().assignSocket(socket);
  }
}

function sayClose(response) {
  if (response._closed) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}

// Waiting for slow clients.

/// Looks for requests that take longer than they may.
function checkConnections(server) {
  if (!server.requestTimeout && !server.headersTimeout) return;
  const now = binding.now();
  const { ERR_HTTP_REQUEST_TIMEOUT } = require('internal/errors').codes;
  for (const connection of [...server[kConnections]]) {
    const { since, socket } = connection;
    if (since === undefined) continue;
    const reading = connection.parser?.incoming;
    const limit = reading ? server.requestTimeout : server.headersTimeout || server.requestTimeout;
    const late = (limit > 0 && now - since >= limit) || (server.requestTimeout > 0 && now - since >= server.requestTimeout);
    if (!late) continue;
    connection.since = undefined;
    onError.call(socket, new ERR_HTTP_REQUEST_TIMEOUT());
  }
}

const { channel } = require('diagnostics_channel');
const channels = {
  started: channel('http.server.request.start'),
  created: channel('http.server.response.created'),
  finished: channel('http.server.response.finish'),
};

module.exports = {
  channels, checkConnections, connectionListener, kConnection, kConnections, kIncomingMessage, kIdle,
  kServerResponse, responseFinished,
};
