// ServerResponse: a response as a server writes it.
//
// Uses binding.nextTick, httpSend, httpStoreHead, httpWriteHead.
'use strict';

const { Buffer } = require('buffer');
const {
  codes: {
    ERR_HTTP_HEADERS_SENT, ERR_HTTP_INVALID_STATUS_CODE, ERR_HTTP_SOCKET_ASSIGNED, ERR_INVALID_ARG_VALUE,
    ERR_INVALID_CHAR,
  },
} = require('internal/errors');
const { channels, finishLater, knowResponses, responseFinished, sayClose } = require('internal/http/connection');
const { checkInvalidHeaderChar } = require('internal/http/headers');
const { keepLayouts } = require('internal/http/layouts');
const { VERSION_SHIFT } = require('internal/http/parser');
const STATUS_CODES = require('internal/http/statuses');
const { kHandle, kTimeout, writable, writableNow } = require('internal/net/socket');
const {
  OutgoingMessage, kCorked, kNeedDrain, kOutHeaders, kUniqueHeaders, kHighWaterMark, kRejectNonStandardBodyWrites, known,
  knowResponses: knowOutgoing,
} = require('_http_outgoing');
const { validateLinkHeaderValue, validateObject } = require('internal/validators');

function ServerResponse(request, options) {
  if (options !== undefined) {
    if (options.highWaterMark !== undefined) this[kHighWaterMark] = options.highWaterMark;
    if (options.rejectNonStandardBodyWrites) this[kRejectNonStandardBodyWrites] = true;
  }
  this.req = request;
  if (request.method === 'HEAD') this._hasBody = false;
  if (request._flags >> VERSION_SHIFT !== 11 && (request.httpVersionMajor < 1 || (request.httpVersionMajor === 1 && request.httpVersionMinor < 1))) {
    this.useChunkedEncodingByDefault = /(?:^|\W)chunked(?:$|\W)/i.test(request.headers?.te);
    this.shouldKeepAlive = false;
  }
  if (channels.created._subscribers !== undefined) channels.created.publish({ request, response: this });
}

const { prototype } = ServerResponse;
const { _storeHeader } = OutgoingMessage.prototype;
Object.setPrototypeOf(prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ServerResponse, OutgoingMessage);
// Where they are found sooner.
for (const name of Reflect.ownKeys(OutgoingMessage.prototype)) {
  const property = Object.getOwnPropertyDescriptor(OutgoingMessage.prototype, name);
  if ('value' in property && !property.enumerable && typeof property.value !== 'function') Object.defineProperty(prototype, name, property);
}
Object.assign(prototype, { statusCode: 200, statusMessage: undefined });
for (const [name, value] of [
  ['sendDate', true], ['_sent100', false], ['_expect_continue', false], ['_maxRequestsPerSocket', 0], ['_connection', undefined],
  ['_events', undefined], ['req', undefined],
]) {
  Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: false });
}

/// The same as `ServerResponse`, for one of our connections whose turn has come.
function Response(request, connection, socket, keepAliveTimeout) {
  this.req = request;
  this._keepAliveTimeout = keepAliveTimeout;
  this._connection = connection;
  this.socket = socket;
}
Response.prototype = prototype;
const first = ['req', '_keepAliveTimeout', '_connection', 'socket'];
const last = ['_headerSent', 'finished', 'destroyed', '_closed'];
// What may have happened to a response before its head is made, so that it is still an ordinary one: somebody listens, its
// status was set, headers were. One for each combination, with which others are compared.
const LISTENERS = 1;
const STATUS = 2;
const HEADERS = 4;
const ordinary = { __proto__: null };
const namesOf = (happened) => [
  ...(happened & LISTENERS) === 0 ? [] : ['_events', '_eventsCount'],
  ...(happened & STATUS) === 0 ? [] : ['statusCode'],
  ...(happened & HEADERS) === 0 ? [] : [kOutHeaders],
];
for (let happened = 0; happened < 8; happened++) {
  const one = ordinary[`layout${happened}`] = new Response();
  for (const name of namesOf(happened)) one[name] = undefined;
}
// Those of which layouts are kept: mostly from the first of its kind on, since it takes a while.
const hasLayouts = [];
function keepLayoutsOf(happened) {
  if (happened < 0 || hasLayouts[happened] === true) return;
  hasLayouts[happened] = true;
  for (const body of ['chunkedEncoding', '_contentLength']) {
    keepLayouts(prototype, [...first, ...namesOf(happened), body, 'statusMessage', '_header', ...last]);
  }
}
keepLayoutsOf(0);

prototype.assignSocket = function assignSocket(socket) {
  if (socket._httpMessage) throw new ERR_HTTP_SOCKET_ASSIGNED();
  this.socket = socket;
  socket._httpMessage = this;
  // One of our own connections tells by itself when it closes.
  if (this._connection === undefined) {
    this._onSocketClose = () => sayClose(this);
    socket.on('close', this._onSocketClose);
  }
  // Somebody may wait for it: what was to happen to the connection when it comes.
  if (this._events !== undefined) this.emit('socket', socket);
  this._flush();
};

knowResponses(prototype, require('internal/http/plain'));

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
  const { socket, _connection: connection } = this;
  let handle;
  if (!(connection === undefined) && socket && socket._httpMessage === this && this.outputSize === 0 &&
      !this.strictContentLength && !this.destroyed && this[kCorked] === 0 && !this[kRejectNonStandardBodyWrites]) {
    handle = writableNow(socket);
  }
  if (handle === undefined) return false;
  const isText = typeof chunk === 'string';
  let flags = LATIN1_HEAD;
  if (isText) {
    if (chunk.length > SMALL) return false;
    if (encoding) {
      if (encoding === 'latin1') flags |= LATIN1_BODY;
      else if (encoding !== 'utf8' && encoding !== 'utf-8') return false;
    }
  } else if (chunk) {
    if (!(chunk instanceof Uint8Array) || chunk.length > SMALL) return false;
  }
  if (!this._header) {
    let length = 0;
    if (chunk) length = isText ? Buffer.byteLength(chunk, encoding) : chunk.length;
    this._contentLength = length;
    this._implicitHeader();
  }
  if (!this._hasBody) chunk = undefined;
  else if (this.chunkedEncoding) flags |= CHUNKED;
  // A head that goes with a text is written as the text is.
  else if (isText && (flags & LATIN1_BODY) === 0) flags &= ~LATIN1_HEAD;
  let sent;
  try {
    sent = binding.httpSend(handle.id, this._header, chunk || undefined, flags, this._trailer || undefined);
  } catch (fault) {
    socket.destroy(require('internal/net/handle').failure(fault));
    return true;
  }
  this._headerSent = true;
  this.finished = true;
  if (typeof sent === 'number') {
    handle.bytesWritten += sent;
    if (!(socket[kTimeout] === null)) socket._unrefTimer();
    // Who has no listeners does not mind when it is through.
    if (this._events === undefined && connection.handling === this) connection.hasLeft = true;
    else tellLater(this);
  } else {
    writeRest(this, sent);
  }
  return true;
};

/// A response has left, and somebody is to be told.
function tellLater(response) {
  binding.nextTick(finishLater, response);
  if (!(response._events === undefined)) response._finish();
}

/// The rest of a response waits as anything else does.
function writeRest(response, bytes) {
  response.socket.write(bytes, () => finishLater(response));
  if (!(response._events === undefined)) response._finish();
}

/// Goes on where `httpEnd` left off.
function afterLeaving(response, left) {
  if (typeof left === 'number') {
    keepLayoutsOf((left >> 1) - 1);
    if ((left & 1) === 1) tellLater(response);
  } else if (left instanceof Uint8Array) {
    writeRest(response, left);
  } else {
    response.socket.destroy(require('internal/net/handle').failure(left));
  }
}

prototype._drained = function _drained() {
  this[kNeedDrain] = false;
  this.emit('drain');
};

/// An answer before the answer.
function writeInterim(response, status, lines, callback) {
  response._writeRaw(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n`, 'ascii', callback);
}

prototype.writeContinue = function writeContinue(callback) {
  this._sent100 = true;
  writeInterim(this, 100, '', callback);
};

prototype.writeProcessing = function writeProcessing(callback) {
  writeInterim(this, 102, '', callback);
};

prototype.writeEarlyHints = function writeEarlyHints(hints, callback) {
  validateObject(hints, 'hints');
  const link = validateLinkHeaderValue(hints.link ?? []);
  // There is nothing to hint at without it.
  if (link === '') return;
  const others = Object.keys(hints).filter((name) => name !== 'link');
  const lines = others.map((name) => `${name}: ${hints[name]}\r\n`);
  writeInterim(this, 103, `Link: ${link}\r\n${lines.join('')}`, callback);
};

prototype._implicitHeader = function _implicitHeader() {
  this.writeHead(this.statusCode);
};

prototype.writeHead = function writeHead(status, reason, headers) {
  if (status === 200 && headers === undefined) {
    const layout = binding.httpWriteHead(known, this, reason);
    if (!(layout === undefined)) {
      if (!(layout === 0)) keepLayoutsOf(layout);
      return this;
    }
  }
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('write');
  const statusCode = status | 0;
  if (statusCode < 100 || statusCode > 999) throw new ERR_HTTP_INVALID_STATUS_CODE(status);
  const usual = STATUS_CODES[statusCode];
  let statusMessage = reason;
  if (typeof reason !== 'string') {
    headers ??= reason;
    statusMessage = this.statusMessage || usual || 'unknown';
  }
  this.statusMessage = statusMessage;
  if (this.statusCode !== statusCode) this.statusCode = statusCode;
  let all = headers;
  if (!(this[kOutHeaders] === null)) {
    mergeHeaders(this, headers);
    all = this[kOutHeaders];
  }
  if (statusMessage !== usual && checkInvalidHeaderChar(statusMessage)) {
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
  const isOrdinary = !(response._connection === undefined) && response.useChunkedEncodingByDefault && !response._removedAny &&
    !response.maxRequestsOnConnectionReached && response._maxRequestsPerSocket === 0 &&
    response._storeHeader === _storeHeader && response[kUniqueHeaders] === null;
  if (!isOrdinary) return false;
  let flags = response.sendDate ? DATE : 0;
  if (response.shouldKeepAlive) flags |= KEEP_ALIVE;
  if (response._hasBody) flags |= HAS_BODY;
  if (headers && headers === response[kOutHeaders]) flags |= PAIRS;
  const length = response._contentLength;
  const timeout = response._keepAliveTimeout;
  const seconds = (timeout / 1000) >>> 0;
  // That would say that it is not kept at all.
  if (seconds === 0 && timeout > 0) return false;
  return binding.httpStoreHead(response, firstLine, headers || undefined, flags, length === null || typeof length !== 'number' ? -1 : length, seconds);
}

/// Adds headers to those that were set before.
function mergeHeaders(response, headers) {
  if (!headers) return;
  if (!Array.isArray(headers)) {
    for (const name of Object.keys(headers)) if (name) response.setHeader(name, headers[name]);
    return;
  }
  if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
  // Each replaces what was set, and is added to those before it in the list.
  const replaced = new Set();
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at];
    if (!name) continue;
    const key = String(name).toLowerCase();
    if (!replaced.has(key)) response.removeHeader(name);
    replaced.add(key);
    response.appendHeader(name, headers[at + 1]);
  }
}

const { _implicitHeader, writeHead } = prototype;
prototype.writeHeader = writeHead;
for (const name of ['_drained', '_endAtOnce', '_finished']) Object.defineProperty(prototype, name, { enumerable: false });

const names = (...all) => Object.fromEntries(all.map((name) => [name, undefined]));
// What natives look for, and what they must find; http/leave.rs has the same order.
knowOutgoing({
  names: names('_connection', 'socket', '_header', '_keepAliveTimeout', kOutHeaders, '_contentLength', 'statusMessage', '_headerSent',
    'finished', 'chunkedEncoding', '_events'),
  // A response that can be written at once.
  unsent: {
    __proto__: null, _headerSent: false, finished: false, destroyed: false, outputSize: 0, strictContentLength: false, _hasBody: true,
    _trailer: '', [kCorked]: 0, [kRejectNonStandardBodyWrites]: false,
  },
  // One whose head says what it mostly says, unless its layout tells.
  headless: {
    __proto__: null, _header: null, statusMessage: undefined, _contentLength: null, chunkedEncoding: false,
    shouldKeepAlive: true, useChunkedEncodingByDefault: true, maxRequestsOnConnectionReached: false, _maxRequestsPerSocket: 0,
    _removedAny: false, _defaultKeepAlive: true, _last: false, _hasBody: true, _expect_continue: false, [kUniqueHeaders]: null,
  },
  making: { __proto__: null, statusCode: 200, _storeHeader, sendDate: true },
  implicit: { __proto__: null, _implicitHeader, writeHead },
  statuses: STATUS_CODES,
  usualStatuses: { __proto__: null, 200: 'OK' },
  ordinary,
  ofConnection: names('handling', 'hasLeft'),
  ofSocket: names('_httpMessage', kHandle, '_writableState', 'life'),
  idleSocket: writable.socket,
  ofHandle: names('id', 'bytesWritten', 'writes'),
  idleHandle: writable.handle,
  idleState: writable.state,
  idleLife: writable.life,
}, afterLeaving);

module.exports = { Response, ServerResponse, detachSocket: prototype.detachSocket };
