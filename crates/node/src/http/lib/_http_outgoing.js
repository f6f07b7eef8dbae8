// OutgoingMessage: what a response that a server writes and a request that a client writes share.
//
// The rules OUT-1 to OUT-20 in docs/library/http.md say what it does. Its state is in three fields, by
// names that packages know:
//
//   open   `_header` is null       headers can be set
//   made   `_header` is a string   the head is made, and leaves before the first of the body
//   sent   `_headerSent`           the head has left or waits in `outputData`
//   ended  `finished`              nothing can be added
//
// Uses binding.nextTick, httpEnd.
'use strict';

const { Buffer } = require('buffer');
const EventEmitter = require('events');
const {
  codes: {
    ERR_HTTP_BODY_NOT_ALLOWED, ERR_HTTP_CONTENT_LENGTH_MISMATCH, ERR_HTTP_HEADERS_SENT,
    ERR_INVALID_ARG_TYPE, ERR_INVALID_CHAR, ERR_METHOD_NOT_IMPLEMENTED, ERR_STREAM_ALREADY_FINISHED,
    ERR_STREAM_CANNOT_PIPE, ERR_STREAM_DESTROYED, ERR_STREAM_NULL_VALUES, ERR_STREAM_WRITE_AFTER_END,
  },
} = require('internal/errors');
const { Head } = require('internal/http/head');
const { checkInvalidHeaderChar, goodNames, toLower, validateHeaderName, validateHeaderValue } = require('internal/http/headers');
const { getDefaultHighWaterMark } = require('internal/streams/high_water_mark');
const { Stream } = require('internal/streams/legacy');
const { deprecate } = require('internal/util/deprecate');
const { validateString } = require('internal/validators');

const kOutHeaders = Symbol('kOutHeaders');
const kCorked = Symbol('corked');
const kUniqueHeaders = Symbol('kUniqueHeaders');
const kBytesWritten = Symbol('kBytesWritten');
const kErrored = Symbol('errored');
const kHighWaterMark = Symbol('kHighWaterMark');
const kNeedDrain = Symbol('kNeedDrain');
const kRejectNonStandardBodyWrites = Symbol('kRejectNonStandardBodyWrites');

function nop() {}

function OutgoingMessage(options) {
  if (options?.highWaterMark !== undefined) this[kHighWaterMark] = options.highWaterMark;
  if (options?.rejectNonStandardBodyWrites) this[kRejectNonStandardBodyWrites] = true;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

const { prototype } = OutgoingMessage;

// Until a message says otherwise: most say little, and a field costs as much as the work that it stands for.
const defaults = {
  // What waits for a connection, and how much that is.
  outputData: undefined,
  outputSize: 0,
  writable: true,
  destroyed: false,
  // Whether the connection ends with this message.
  _last: false,
  chunkedEncoding: false,
  shouldKeepAlive: true,
  maxRequestsOnConnectionReached: false,
  _defaultKeepAlive: true,
  useChunkedEncodingByDefault: true,
  sendDate: false,
  // Whether any of the next three was ever set.
  _removedAny: false,
  _removedConnection: false,
  _removedContLen: false,
  _removedTE: false,
  strictContentLength: false,
  _contentLength: null,
  _hasBody: true,
  _trailer: '',
  finished: false,
  _headerSent: false,
  _closed: false,
  socket: null,
  _header: null,
  _keepAliveTimeout: 0,
  _onPendingData: nop,
  [kOutHeaders]: null,
  [kCorked]: 0,
  [kUniqueHeaders]: null,
  [kBytesWritten]: 0,
  [kErrored]: null,
  [kHighWaterMark]: undefined,
  [kNeedDrain]: false,
  [kRejectNonStandardBodyWrites]: false,
};
for (const name of Reflect.ownKeys(defaults)) {
  Object.defineProperty(prototype, name, { value: defaults[name], writable: true, configurable: true, enumerable: false });
}

function accessor(name, get, set = undefined) {
  Object.defineProperty(prototype, name, { __proto__: null, get, set, configurable: true, enumerable: false });
}

accessor('outputData', function() {
  if (this === prototype) return undefined;
  const value = [];
  Object.defineProperty(this, 'outputData', { value, writable: true, configurable: true, enumerable: true });
  return value;
}, function(value) {
  Object.defineProperty(this, 'outputData', { value, writable: true, configurable: true, enumerable: true });
});
accessor('errored', function() { return this[kErrored]; });
accessor('closed', function() { return this._closed; });
accessor('writableObjectMode', () => false);
accessor('writableLength', function() {
  return this.outputSize + (this.socket ? this.socket.writableLength : 0);
});
accessor('writableHighWaterMark', function() {
  return this.socket ? this.socket.writableHighWaterMark : this[kHighWaterMark] ?? getDefaultHighWaterMark();
});
accessor('writableCorked', function() { return this[kCorked]; });
accessor('writableEnded', function() { return this.finished; });
accessor('writableFinished', function() { return this.finished && this.writableLength === 0; });
accessor('writableNeedDrain', function() { return !this.destroyed && !this.finished && this[kNeedDrain]; });
accessor('headersSent', function() { return Boolean(this._header); });
accessor('connection', function() { return this.socket; }, function(value) { this.socket = value; });
/// An accessor from before there were methods.
function oldAccessor(name, get, set) {
  const old = (fn) => deprecate(fn, `OutgoingMessage.prototype.${name} is deprecated`, 'DEP0066');
  accessor(name, old(get), old(set));
}

oldAccessor('_headers', function() { return this.getHeaders(); }, function(value) {
  if (value !== null && typeof value !== 'object') return;
  let table = null;
  for (const name of Object.keys(value ?? {})) (table ??= { __proto__: null })[toLower(name)] = [name, value[name]];
  this[kOutHeaders] = table;
});
oldAccessor('_headerNames', function() {
  const headers = this[kOutHeaders];
  if (headers === null) return null;
  const names = { __proto__: null };
  for (const key of Object.keys(headers)) names[key] = headers[key][0];
  return names;
}, function(value) {
  if (typeof value !== 'object' || value === null) return;
  const headers = this[kOutHeaders];
  if (!headers) return;
  for (const key of Object.keys(value)) if (headers[key]) headers[key][0] = value[key];
});

// Headers, as long as it is open (OUT-8 to OUT-11): a table of names and values by names in lower case.

function mustBeOpen(message, what) {
  if (message._header) throw new ERR_HTTP_HEADERS_SENT(what);
}

prototype._renderHeaders = function _renderHeaders() {
  mustBeOpen(this, 'render');
  const rendered = {};
  const headers = this[kOutHeaders];
  if (headers !== null) for (const key of Object.keys(headers)) rendered[headers[key][0]] = headers[key][1];
  return rendered;
};

/// OUT-10: names and values are checked here.
prototype.setHeader = function setHeader(name, value) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('set');
  let key = goodNames.get(name);
  if (key === undefined) {
    validateHeaderName(name);
    key = toLower(name);
  }
  // Numbers are written in digits.
  if (typeof value !== 'number') validateHeaderValue(name, value);
  const headers = this[kOutHeaders];
  if (headers === null) this[kOutHeaders] = { __proto__: null, [key]: [name, value] };
  else headers[key] = [name, value];
  return this;
};

prototype.appendHeader = function appendHeader(name, value) {
  mustBeOpen(this, 'append');
  validateHeaderName(name);
  validateHeaderValue(name, value);
  const headers = this[kOutHeaders] ??= { __proto__: null };
  const key = toLower(name);
  const present = headers[key];
  if (present === undefined) headers[key] = [name, value];
  else if (!Array.isArray(present[1])) present[1] = [present[1], value].flat();
  else if (Array.isArray(value)) for (const one of value) present[1].push(one);
  else present[1].push(value);
  return this;
};

prototype.setHeaders = function setHeaders(headers) {
  mustBeOpen(this, 'set');
  if (!(headers instanceof Map) && !(headers instanceof globalThis.Headers)) {
    throw new ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
  }
  // `Headers` gives cookies one by one (OUT-9).
  let cookies;
  for (const [name, value] of headers) {
    if (name === 'set-cookie') cookies = cookies === undefined ? [value].flat() : cookies.concat(value);
    else this.setHeader(name, value);
  }
  if (cookies !== undefined) this.setHeader('set-cookie', cookies);
  return this;
};

prototype.getHeader = function getHeader(name) {
  validateString(name, 'name');
  return this[kOutHeaders]?.[toLower(name)]?.[1];
};

prototype.hasHeader = function hasHeader(name) {
  validateString(name, 'name');
  return this[kOutHeaders]?.[toLower(name)] !== undefined;
};

prototype.getHeaderNames = function getHeaderNames() {
  return Object.keys(this[kOutHeaders] ?? {});
};

prototype.getRawHeaderNames = function getRawHeaderNames() {
  return Object.values(this[kOutHeaders] ?? {}).map(([name]) => name);
};

prototype.getHeaders = function getHeaders() {
  const values = { __proto__: null };
  const headers = this[kOutHeaders];
  for (const key of this.getHeaderNames()) values[key] = headers[key][1];
  return values;
};

// Those that we add ourselves unless they were removed.
const removals = {
  __proto__: null,
  'connection': '_removedConnection',
  'content-length': '_removedContLen',
  'transfer-encoding': '_removedTE',
};

prototype.removeHeader = function removeHeader(name) {
  validateString(name, 'name');
  mustBeOpen(this, 'remove');
  const key = toLower(name);
  this._removedAny = true;
  if (key === 'date') this.sendDate = false;
  else if (removals[key] !== undefined) this[removals[key]] = true;
  const headers = this[kOutHeaders];
  if (headers !== null) delete headers[key];
};

function parseUniqueHeadersOption(headers) {
  if (!Array.isArray(headers)) return null;
  const unique = new Set();
  for (const name of headers) unique.add(name.toLowerCase());
  return unique;
}

// The head.

/// Makes the head (OUT-1). Headers that were set before are checked already.
prototype._storeHeader = function _storeHeader(firstLine, headers) {
  const head = new Head(this, firstLine, this[kUniqueHeaders]);
  const own = this[kOutHeaders];
  if (headers && headers === own) for (const key of Object.keys(own)) head.add(own[key][0], own[key][1]);
  else if (headers) head.addAll(headers);
  this._header = head.complete();
  this._headerSent = false;
  if (head.isExpecting) this._send('');
};

prototype._implicitHeader = function _implicitHeader() {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
};

prototype.flushHeaders = function flushHeaders() {
  if (!this._header) this._implicitHeader();
  if (!this._headerSent) this._send('');
};

/// Trailers take the place of earlier ones (OUT-14).
prototype.addTrailers = function addTrailers(headers) {
  this._trailer = '';
  for (const [name, value] of Array.isArray(headers) ? headers : Object.entries(headers)) {
    validateHeaderName(name, 'Trailer name');
    // Those that must be unique are joined, others stand in lines of their own.
    const isUnique = Array.isArray(value) && value.length > 1 && this[kUniqueHeaders]?.has(name.toLowerCase());
    for (const one of isUnique ? [value.join('; ')] : [value].flat()) {
      if (checkInvalidHeaderChar(one)) throw new ERR_INVALID_CHAR('trailer content', name);
      this._trailer += `${name}: ${one}\r\n`;
    }
  }
};

// The way out: a message has the connection when its turn has come, and waits until then (OUT-18).

/// Does it with the connection, now or when there is one.
function withSocket(message, act) {
  if (message.socket) act(message.socket);
  else message.once('socket', act);
}

/// Whether anything waits for the connection.
function hasOutput(message) {
  return Object.hasOwn(message, 'outputData') && message.outputData.length > 0;
}

/// Hands over what has waited. Whether the connection takes more.
function handOver(message, socket) {
  const waiting = message.outputData;
  const size = message.outputSize;
  let hasRoom = true;
  message.outputData = [];
  message.outputSize = 0;
  socket.cork();
  for (const { data, encoding, callback } of waiting) hasRoom = socket.write(data, encoding, callback);
  socket.uncork();
  message._onPendingData(-size);
  return hasRoom;
}

/// Sends something as it is.
prototype._writeRaw = function _writeRaw(data, encoding, callback) {
  const { socket } = this;
  if (socket) {
    if (socket._httpMessage === this && socket.writable) {
      if (this.outputSize > 0) handOver(this, socket);
      return socket.write(data, encoding, callback);
    }
    // It goes nowhere any more.
    if (socket.destroyed) return false;
  }
  const { length } = data;
  this.outputData.push({ data, encoding, callback });
  this.outputSize += length;
  this._onPendingData(length);
  return this.outputSize < this.writableHighWaterMark;
};

/// Sends a piece of the body, and the head before it if that has not gone yet.
prototype._send = function _send(data, encoding, callback) {
  if (!this._headerSent) {
    this._headerSent = true;
    // Whoever has no head says so by an `_implicitHeader` that makes none.
    if (this._header === null) return this._writeRaw(data, encoding, callback);
    if (typeof data !== 'string' || (encoding && encoding !== 'utf8' && encoding !== 'latin1')) this._writeRaw(this._header, 'latin1', null);
    else data = this._header + data;
  }
  return this._writeRaw(data, encoding, callback);
};

/// There is a connection.
prototype._flush = function _flush() {
  const { socket } = this;
  if (!socket?.writable) return;
  for (let n = this[kCorked]; n > 0; n--) socket.cork();
  const hasRoom = hasOutput(this) && handOver(this, socket);
  if (this.finished) {
    this._finish();
  } else if (hasRoom && this[kNeedDrain]) {
    this[kNeedDrain] = false;
    this.emit('drain');
  }
};

prototype.cork = function cork() {
  this[kCorked]++;
  this.socket?.cork();
};

prototype.uncork = function uncork() {
  this[kCorked]--;
  this.socket?.uncork();
};

prototype.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on('timeout', callback);
  withSocket(this, (socket) => socket.setTimeout(msecs));
  return this;
};

// The connection's errors are the message's; it has none of its own.
prototype.destroy = function destroy(error) {
  if (!this.destroyed) {
    this.destroyed = true;
    this[kErrored] = error;
    withSocket(this, (socket) => socket.destroy(error));
  }
  return this;
};

prototype[EventEmitter.captureRejectionSymbol] = function(error) {
  this.destroy(error);
};

prototype.pipe = function pipe() {
  this.emit('error', new ERR_STREAM_CANNOT_PIPE());
};

// The body.

prototype.write = function write(chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = undefined;
  }
  const hasRoom = writeBody(this, chunk, encoding, callback, false);
  if (!hasRoom) this[kNeedDrain] = true;
  return hasRoom;
};

/// Writes a piece of the body, the last one if `isLast`. Whether there is room for more.
function writeBody(message, chunk, encoding, callback, isLast) {
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) refuseChunk(chunk);
  if (message.finished) return failLater(message, new ERR_STREAM_WRITE_AFTER_END(), callback);
  if (message.destroyed) return failLater(message, new ERR_STREAM_DESTROYED('write'), callback);
  const isOpen = !message._header;
  let length = 0;
  if (message.chunkedEncoding || isOpen || message.strictContentLength) {
    length = typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
  }
  if (isOpen) {
    // A body that comes in one piece has its length in the head.
    if (isLast) message._contentLength = length;
    message._implicitHeader();
  }
  if (!message._hasBody) {
    if (message[kRejectNonStandardBodyWrites]) throw new ERR_HTTP_BODY_NOT_ALLOWED();
    if (callback) binding.nextTick(callback);
    return true;
  }
  if (message.strictContentLength) holdToLength(message, length, isLast);
  const { socket } = message;
  if (!isLast && socket && !socket.writableCorked) {
    // What is written in one go leaves in one go.
    socket.cork();
    binding.nextTick(uncorkSocket, socket);
  }
  if (!message.chunkedEncoding || length === 0) return message._send(chunk, encoding, callback);
  const size = length.toString(16);
  // Who has put a `write` of its own in place of the socket's gets the pieces that Node writes.
  const isWatched = socket && Object.hasOwn(socket, 'write');
  if (typeof chunk === 'string' && !isWatched && (!encoding || encoding === 'utf8' || encoding === 'utf-8')) {
    if (message._headerSent) return message._send(`${size}\r\n${chunk}\r\n`, encoding, callback);
    // The head is written in Latin-1, which what has as many bytes as letters is as well.
    if (length === chunk.length) return message._send(`${size}\r\n${chunk}\r\n`, 'latin1', callback);
  }
  if (isWatched) {
    message._send(size, 'latin1', null);
    message._send('\r\n', 'latin1', null);
  } else {
    message._send(`${size}\r\n`, 'latin1', null);
  }
  message._send(chunk, encoding, null);
  return message._send('\r\n', 'latin1', callback);
}

function uncorkSocket(socket) {
  socket.uncork();
}

/// OUT-12: only strings and bytes can be written.
function refuseChunk(chunk) {
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
}

/// OUT-13: a body must have the length that was promised, if the program wants that to be looked at.
function holdToLength(message, length, isLast) {
  const promised = message._contentLength;
  if (typeof promised !== 'number' || message.chunkedEncoding) return;
  const sum = message[kBytesWritten] + length;
  if (isLast ? sum !== promised : sum > promised) throw new ERR_HTTP_CONTENT_LENGTH_MISMATCH(sum, promised);
  message[kBytesWritten] = sum;
}

/// OUT-16, OUT-17: a write that comes too late. There is no room for it.
function failLater(message, error, callback) {
  binding.nextTick(tellFailure, message, error, callback);
  return false;
}

function tellFailure(message, error, callback) {
  callback?.(error);
  // One that was destroyed has nothing more to say.
  if (!message.destroyed) message.emit('error', error);
}

// The end.

// What natives know of responses, once there are some (see response.js), and who goes on from there.
const known = { __proto__: null };
let afterLeaving;
function knowResponses(parts, after) {
  Object.assign(known, parts);
  afterLeaving = after;
}

prototype.end = function end(chunk, encoding, callback) {
  // Most responses are ordinary and leave in one call.
  if (!callback && (!encoding || encoding === 'utf8')) {
    const left = binding.httpEnd(known, this, chunk);
    if (left === true) return this;
    if (!(left === undefined)) {
      afterLeaving(this, left);
      return this;
    }
  }
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = undefined;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = undefined;
  }
  if (this.finished) {
    if (chunk) failLater(this, new ERR_STREAM_WRITE_AFTER_END(), callback);
    else if (typeof callback !== 'function') return this;
    else if (this.writableFinished) callback(new ERR_STREAM_ALREADY_FINISHED('end'));
    else this.once('finish', callback);
    return this;
  }
  if (!this._headerSent && this._endAtOnce) {
    // Who listens is told later: also those who listen by now.
    if (typeof callback === 'function') this.once('finish', callback);
    if (this._endAtOnce(chunk, encoding)) return this;
    if (typeof callback === 'function') this.removeListener('finish', callback);
  }
  endBody(this, chunk, encoding, callback);
  this.finished = true;
  // A message whose turn has not come is finished when it has.
  const { socket } = this;
  if (this.outputSize === 0 && socket && socket._httpMessage === this) this._finish();
  return this;
};

/// Sends the last of the body and what marks its end, in one go.
function endBody(message, chunk, encoding, callback) {
  const { socket } = message;
  socket?.cork();
  try {
    if (chunk && !message.destroyed) {
      writeBody(message, chunk, encoding, null, true);
    } else {
      if (!message._header) {
        message._contentLength = 0;
        message._implicitHeader();
      }
      if (message.strictContentLength && message._hasBody) holdToLength(message, 0, true);
    }
  } catch (error) {
    socket?.uncork();
    throw error;
  }
  if (typeof callback === 'function') message.once('finish', callback);
  if (message._hasBody && message.chunkedEncoding) {
    message._send(`0\r\n${message._trailer}\r\n`, 'latin1', () => onFinish(message));
  } else if (chunk || !message._headerSent || message.writableLength > 0) {
    message._send('', 'latin1', () => onFinish(message));
  } else {
    binding.nextTick(onFinish, message);
  }
  if (socket) {
    // All that was held back goes now (OUT-19).
    if (socket._writableState) socket._writableState.corked = 1;
    socket.uncork();
  }
  message[kCorked] = 0;
}

/// All has been handed over (OUT-15).
prototype._finish = function _finish() {
  this.emit('prefinish');
};

/// The last of a message has left.
function onFinish(message) {
  if (message.socket?._hadError) return;
  if (message._finished === undefined) message.emit('finish');
  else require('internal/http/connection').finishLater(message);
}

module.exports = {
  kCorked, kHighWaterMark, kOutHeaders, kUniqueHeaders, kNeedDrain, kRejectNonStandardBodyWrites,
  known, knowResponses, parseUniqueHeadersOption, validateHeaderName, validateHeaderValue, withSocket, OutgoingMessage,
};
