// OutgoingMessage: what a response that a server writes and a request that a client writes share.
//
// Uses binding.nextTick.
'use strict';

const { Buffer } = require('buffer');
const EventEmitter = require('events');
const {
  codes: {
    ERR_HTTP_BODY_NOT_ALLOWED, ERR_HTTP_CONTENT_LENGTH_MISMATCH, ERR_HTTP_HEADERS_SENT,
    ERR_HTTP_TRAILER_INVALID, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_CHAR, ERR_METHOD_NOT_IMPLEMENTED,
    ERR_STREAM_ALREADY_FINISHED, ERR_STREAM_CANNOT_PIPE, ERR_STREAM_DESTROYED, ERR_STREAM_NULL_VALUES,
    ERR_STREAM_WRITE_AFTER_END,
  },
} = require('internal/errors');
const {
  checkInvalidHeaderChar, chunkExpression, closeExpression, toLower, utcDate, validateHeaderName, validateHeaderValue,
} = require('internal/http/headers');
const { getDefaultHighWaterMark } = require('internal/streams/high_water_mark');
const { Stream } = require('internal/streams/legacy');
const { validateString } = require('internal/validators');

const kOutHeaders = Symbol('kOutHeaders');
const kCorked = Symbol('corked');
const kUniqueHeaders = Symbol('kUniqueHeaders');
const kBytesWritten = Symbol('kBytesWritten');
const kErrored = Symbol('errored');
const kHighWaterMark = Symbol('kHighWaterMark');
const kNeedDrain = Symbol('kNeedDrain');
const kRejectNonStandardBodyWrites = Symbol('kRejectNonStandardBodyWrites');
const kFinished = Symbol('kFinished');

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
  [kFinished]: false,
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
accessor('writableFinished', function() {
  return this.finished && this.outputSize === 0 && (!this.socket || this.socket.writableLength === 0);
});
accessor('writableObjectMode', () => false);
accessor('writableLength', function() {
  return this.outputSize + (this.socket ? this.socket.writableLength : 0);
});
accessor('writableHighWaterMark', function() {
  return this.socket ? this.socket.writableHighWaterMark : this[kHighWaterMark] ?? getDefaultHighWaterMark();
});
accessor('writableCorked', function() { return this[kCorked]; });
accessor('writableEnded', function() { return this.finished; });
accessor('writableNeedDrain', function() { return !this.destroyed && !this.finished && this[kNeedDrain]; });
accessor('headersSent', function() { return Boolean(this._header); });
accessor('connection', function() { return this.socket; }, function(value) { this.socket = value; });
accessor('_headers', function() { return this.getHeaders(); }, function(value) {
  if (value == null) {
    this[kOutHeaders] = null;
  } else if (typeof value === 'object') {
    const headers = this[kOutHeaders] = { __proto__: null };
    for (const name of Object.keys(value)) headers[toLower(name)] = [name, value[name]];
  }
});
accessor('_headerNames', function() {
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

prototype._renderHeaders = function _renderHeaders() {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
  const rendered = {};
  const headers = this[kOutHeaders];
  if (headers !== null) for (const key of Object.keys(headers)) rendered[headers[key][0]] = headers[key][1];
  return rendered;
};

// Holding back.

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
  if (!this.socket) this.once('socket', (socket) => socket.setTimeout(msecs));
  else this.socket.setTimeout(msecs);
  return this;
};

// The connection's errors are the message's; it has none of its own.
prototype.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this[kErrored] = error;
  if (this.socket) this.socket.destroy(error);
  else this.once('socket', (socket) => socket.destroy(error));
  return this;
};

// Sending.

/// Sends a piece of the body, and the head before it if that has not gone yet.
prototype._send = function _send(data, encoding, callback, byteLength) {
  if (!this._headerSent) {
    const header = this._header;
    if (typeof data === 'string' && (encoding === 'utf8' || encoding === 'latin1' || !encoding)) {
      data = header + data;
    } else {
      this.outputData.unshift({ data: header, encoding: 'latin1', callback: null });
      this.outputSize += header.length;
      this._onPendingData(header.length);
    }
    this._headerSent = true;
  }
  return this._writeRaw(data, encoding, callback, byteLength);
};

prototype._writeRaw = function _writeRaw(data, encoding, callback, size) {
  const { socket } = this;
  if (socket && socket.destroyed) return false;
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (socket && socket._httpMessage === this && socket.writable) {
    if (hasOutput(this)) this._flushOutput(socket);
    return socket.write(data, encoding, callback);
  }
  this.outputData.push({ data, encoding, callback });
  this.outputSize += data.length;
  this._onPendingData(data.length);
  return this.outputSize < (this[kHighWaterMark] ?? getDefaultHighWaterMark());
};

/// Whether anything waits for the connection.
function hasOutput(message) {
  return Object.hasOwn(message, 'outputData') && message.outputData.length > 0;
}

prototype._flush = function _flush() {
  const { socket } = this;
  if (!socket?.writable) return;
  const flushed = this._flushOutput(socket);
  if (this.finished) {
    this._finish();
  } else if (flushed && this[kNeedDrain]) {
    this[kNeedDrain] = false;
    this.emit('drain');
  }
};

prototype._flushOutput = function _flushOutput(socket) {
  while (this[kCorked]) {
    this[kCorked]--;
    socket.cork();
  }
  if (!hasOutput(this)) return undefined;
  const { outputData } = this;
  let result;
  socket.cork();
  for (const { data, encoding, callback } of outputData) result = socket.write(data, encoding, callback);
  socket.uncork();
  this.outputData = [];
  this._onPendingData(-this.outputSize);
  this.outputSize = 0;
  return result;
};

/// Everything has been handed over.
prototype._finish = function _finish() {
  this.emit('prefinish');
};

prototype.flushHeaders = function flushHeaders() {
  if (!this._header) this._implicitHeader();
  this._send('');
};

prototype._implicitHeader = function _implicitHeader() {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
};

prototype.pipe = function pipe() {
  this.emit('error', new ERR_STREAM_CANNOT_PIPE());
};

prototype[EventEmitter.captureRejectionSymbol] = function(error) {
  this.destroy(error);
};

// The head.

prototype._storeHeader = function _storeHeader(firstLine, headers) {
  // What the headers that were given say about the message.
  const given = {
    connection: false, contLen: false, te: false, date: false, expect: false, trailer: false, header: firstLine,
  };
  if (headers) {
    if (headers === this[kOutHeaders]) {
      for (const key in headers) {
        const [name, value] = headers[key];
        addHeader(this, given, name, value, false);
      }
    } else if (Array.isArray(headers)) {
      if (headers.length > 0 && Array.isArray(headers[0])) {
        for (const [name, value] of headers) addHeader(this, given, name, value, true);
      } else {
        if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
        for (let n = 0; n < headers.length; n += 2) addHeader(this, given, headers[n], headers[n + 1], true);
      }
    } else {
      for (const name in headers) {
        if (Object.hasOwn(headers, name)) addHeader(this, given, name, headers[name], true);
      }
    }
  }
  let { header } = given;
  if (this.sendDate && !given.date) header += `Date: ${utcDate()}\r\n`;

  // Neither status may have a body, so that there can be no chunks: the connection must end to be safe.
  if (this.chunkedEncoding && (this.statusCode === 204 || this.statusCode === 304)) {
    this.chunkedEncoding = false;
    this.shouldKeepAlive = false;
  }

  if (this._removedConnection) {
    this._last = !this.shouldKeepAlive;
  } else if (!given.connection) {
    const staysOpen = this.shouldKeepAlive && (given.contLen || this.useChunkedEncodingByDefault || this.agent);
    if (staysOpen && this.maxRequestsOnConnectionReached) {
      header += 'Connection: close\r\n';
    } else if (staysOpen) {
      header += 'Connection: keep-alive\r\n';
      if (this._keepAliveTimeout && this._defaultKeepAlive) {
        const max = ~~this._maxRequestsPerSocket > 0 ? `, max=${this._maxRequestsPerSocket}` : '';
        header += `Keep-Alive: timeout=${Math.floor(this._keepAliveTimeout / 1000)}${max}\r\n`;
      }
    } else {
      this._last = true;
      header += 'Connection: close\r\n';
    }
  }

  if (!given.contLen && !given.te) {
    if (!this._hasBody) {
      this.chunkedEncoding = false;
    } else if (!this.useChunkedEncodingByDefault) {
      this._last = true;
    } else if (!given.trailer && !this._removedContLen && typeof this._contentLength === 'number') {
      header += `Content-Length: ${this._contentLength}\r\n`;
    } else if (!this._removedTE) {
      header += 'Transfer-Encoding: chunked\r\n';
      this.chunkedEncoding = true;
    } else {
      // Only the end of the connection can end it.
      this._last = true;
    }
  }
  if (this.chunkedEncoding !== true && given.trailer) throw new ERR_HTTP_TRAILER_INVALID();

  this._header = `${header}\r\n`;
  this._headerSent = false;
  // Whoever expects something waits for it before the body.
  if (given.expect) this._send('');
};

/// Adds a header to the text, or each of a list.
function addHeader(message, given, name, value, validate) {
  if (validate) validateHeaderName(name);
  if (Array.isArray(value)) {
    const key = toLower(name);
    const joins = (value.length < 2 || key !== 'cookie') && (!message[kUniqueHeaders] || !message[kUniqueHeaders].has(key));
    if (joins) {
      for (const one of value) addLine(message, given, name, one, validate);
      return;
    }
    value = value.join('; ');
  }
  addLine(message, given, name, value, validate);
}

function addLine(message, given, name, value, validate) {
  if (validate) validateHeaderValue(name, value);
  given.header += `${name}: ${value}\r\n`;
  note(message, given, name, value);
}

/// Notes what a header says about the message.
function note(message, given, name, value) {
  const { length } = name;
  // Those that matter have 4, 6, 7, 10, 14 or 17 letters.
  if (length < 4 || length > 17) return;
  switch (toLower(name)) {
    case 'connection':
      given.connection = true;
      message._removedConnection = false;
      if (closeExpression.test(value)) message._last = true;
      else message.shouldKeepAlive = true;
      break;
    case 'transfer-encoding':
      given.te = true;
      message._removedTE = false;
      if (chunkExpression.test(value)) message.chunkedEncoding = true;
      break;
    case 'content-length':
      given.contLen = true;
      message._contentLength = +value;
      message._removedContLen = false;
      break;
    case 'date': given.date = true; break;
    case 'expect': given.expect = true; break;
    case 'trailer': given.trailer = true; break;
    case 'keep-alive': message._defaultKeepAlive = false; break;
  }
}

function parseUniqueHeadersOption(headers) {
  if (!Array.isArray(headers)) return null;
  const unique = new Set();
  for (const name of headers) unique.add(name.toLowerCase());
  return unique;
}

prototype.setHeader = function setHeader(name, value) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('set');
  validateHeaderName(name);
  validateHeaderValue(name, value);
  const headers = this[kOutHeaders] ??= { __proto__: null };
  headers[toLower(name)] = [name, value];
  return this;
};

prototype.setHeaders = function setHeaders(headers) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('set');
  if (!headers || Array.isArray(headers) || typeof headers.keys !== 'function' || typeof headers.get !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
  }
  // Cookies come one at a time from an iterator, and belong together.
  const cookies = [];
  for (const { 0: name, 1: value } of headers) {
    if (name === 'set-cookie') {
      if (Array.isArray(value)) cookies.push(...value);
      else cookies.push(value);
    } else {
      this.setHeader(name, value);
    }
  }
  if (cookies.length > 0) this.setHeader('set-cookie', cookies);
  return this;
};

prototype.appendHeader = function appendHeader(name, value) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('append');
  validateHeaderName(name);
  validateHeaderValue(name, value);
  const key = toLower(name);
  const headers = this[kOutHeaders] ??= { __proto__: null };
  const present = headers[key];
  if (present === undefined) {
    headers[key] = [name, value];
  } else {
    if (!Array.isArray(present[1])) present[1] = [present[1]];
    if (Array.isArray(value)) present[1].push(...value);
    else present[1].push(value);
  }
  return this;
};

prototype.getHeader = function getHeader(name) {
  validateString(name, 'name');
  return this[kOutHeaders]?.[toLower(name)]?.[1];
};

prototype.getHeaderNames = function getHeaderNames() {
  return this[kOutHeaders] !== null ? Object.keys(this[kOutHeaders]) : [];
};

prototype.getRawHeaderNames = function getRawHeaderNames() {
  return this[kOutHeaders] !== null ? Object.values(this[kOutHeaders]).map(([name]) => name) : [];
};

prototype.getHeaders = function getHeaders() {
  const headers = this[kOutHeaders];
  const copy = { __proto__: null };
  if (headers) for (const key of Object.keys(headers)) copy[key] = headers[key][1];
  return copy;
};

prototype.hasHeader = function hasHeader(name) {
  validateString(name, 'name');
  return Boolean(this[kOutHeaders]?.[toLower(name)]);
};

prototype.removeHeader = function removeHeader(name) {
  validateString(name, 'name');
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('remove');
  const key = toLower(name);
  this._removedAny = true;
  switch (key) {
    case 'connection': this._removedConnection = true; break;
    case 'content-length': this._removedContLen = true; break;
    case 'transfer-encoding': this._removedTE = true; break;
    case 'date': this.sendDate = false; break;
  }
  if (this[kOutHeaders] !== null) delete this[kOutHeaders][key];
};

// The body.

prototype.write = function write(chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  const result = writeBody(this, chunk, encoding, callback, false);
  if (!result) this[kNeedDrain] = true;
  return result;
};

function fail(message, error, callback) {
  binding.nextTick(sayFailure, message, error, typeof callback === 'function' ? callback : nop);
}

function sayFailure(message, error, callback) {
  callback(error);
  if (typeof message.emit === 'function' && !message.destroyed) message.emit('error', error);
}

function isBytes(chunk) {
  return chunk instanceof Uint8Array;
}

function sizeOf(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
}

function writeBody(message, chunk, encoding, callback, fromEnd) {
  if (typeof callback !== 'function') callback = nop;
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !isBytes(chunk)) {
    throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  }
  let error;
  if (message.finished) error = new ERR_STREAM_WRITE_AFTER_END();
  else if (message.destroyed) error = new ERR_STREAM_DESTROYED('write');
  if (error) {
    if (!message.destroyed) fail(message, error, callback);
    else binding.nextTick(callback, error);
    return false;
  }
  const counts = message.strictContentLength || !message._header || message.chunkedEncoding;
  const length = counts ? sizeOf(chunk, encoding) : 0;
  if (!message._header) {
    if (fromEnd) message._contentLength = length;
    message._implicitHeader();
  }
  if (!message._hasBody) {
    if (message[kRejectNonStandardBodyWrites]) throw new ERR_HTTP_BODY_NOT_ALLOWED();
    binding.nextTick(callback);
    return true;
  }
  if (message.strictContentLength && checksLength(message)) {
    message[kBytesWritten] += length;
    const wrong = fromEnd ? message[kBytesWritten] !== message._contentLength : message[kBytesWritten] > message._contentLength;
    if (wrong) throw new ERR_HTTP_CONTENT_LENGTH_MISMATCH(message[kBytesWritten], message._contentLength);
  }
  const { socket } = message;
  if (!fromEnd && socket && !socket.writableCorked) {
    // What is written in one go leaves in one go.
    socket.cork();
    binding.nextTick(uncorkSocket, socket);
  }
  if (!message.chunkedEncoding || chunk.length === 0) {
    return message._send(chunk, encoding, callback, length);
  }
  const size = length.toString(16);
  // The head is written in Latin-1.
  if (message._headerSent && typeof chunk === 'string' && (!encoding || encoding === 'utf8' || encoding === 'utf-8')) {
    return message._send(`${size}\r\n${chunk}\r\n`, encoding, callback, length);
  }
  message._send(`${size}\r\n`, 'latin1', null);
  message._send(chunk, encoding, null, length);
  return message._send('\r\n', 'latin1', callback);
}

/// Whether a length was promised that the body can be held to.
function checksLength(message) {
  return message.strictContentLength && message._contentLength !== null && message._hasBody &&
    !message._removedContLen && !message.chunkedEncoding && !message.hasHeader('transfer-encoding');
}

function uncorkSocket(socket) {
  socket.uncork();
}

prototype.addTrailers = function addTrailers(headers) {
  this._trailer = '';
  const isList = Array.isArray(headers);
  const keys = Object.keys(headers);
  for (const key of keys) {
    const [name, value] = isList ? headers[key] : [key, headers[key]];
    validateHeaderName(name, 'Trailer name');
    // Cookies and those that must be unique are joined, others stand in lines of their own.
    const isUnique = Array.isArray(value) && value.length > 1 && this[kUniqueHeaders]?.has(name.toLowerCase());
    for (const one of Array.isArray(value) && !isUnique ? value : [isUnique ? value.join('; ') : value]) {
      if (checkInvalidHeaderChar(one)) throw new ERR_INVALID_CHAR('trailer content', name);
      this._trailer += `${name}: ${one}\r\n`;
    }
  }
};

/// Called when the last of a message has left.
function onFinish(message) {
  if (message?.socket?._hadError) return;
  message._finished?.();
  message.emit('finish');
}

prototype.end = function end(chunk, encoding, callback) {
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (!this._headerSent && !this.finished && this._endAtOnce !== undefined) {
    // Who listens is told later: also those who listen by now.
    if (typeof callback === 'function') this.once('finish', callback);
    if (this._endAtOnce(chunk, encoding)) return this;
    if (typeof callback === 'function') this.removeListener('finish', callback);
  }
  if (chunk) {
    if (this.finished) {
      fail(this, new ERR_STREAM_WRITE_AFTER_END(), callback);
      return this;
    }
    this.socket?.cork();
    try {
      writeBody(this, chunk, encoding, null, true);
    } catch (error) {
      this.socket?.uncork();
      throw error;
    }
  } else if (this.finished) {
    if (typeof callback === 'function') {
      if (!this.writableFinished) this.on('finish', callback);
      else callback(new ERR_STREAM_ALREADY_FINISHED('end'));
    }
    return this;
  } else if (!this._header) {
    this.socket?.cork();
    this._contentLength = 0;
    this._implicitHeader();
  }
  if (typeof callback === 'function') this.once('finish', callback);
  if (checksLength(this) && this[kBytesWritten] !== this._contentLength) {
    throw new ERR_HTTP_CONTENT_LENGTH_MISMATCH(this[kBytesWritten], this._contentLength);
  }
  const finish = () => onFinish(this);
  if (this._hasBody && this.chunkedEncoding) {
    this._send(`0\r\n${this._trailer}\r\n`, 'latin1', finish);
  } else if (!this._headerSent || this.writableLength || chunk) {
    this._send('', 'latin1', finish);
  } else {
    binding.nextTick(finish);
  }
  const { socket } = this;
  if (socket) {
    // All that was held back goes now.
    if (socket._writableState) socket._writableState.corked = 1;
    socket.uncork();
  }
  this[kCorked] = 1;
  this.uncork();
  this.finished = true;
  // A message whose turn has not come is finished when it has.
  if (this.outputSize === 0 && socket && socket._httpMessage === this) this._finish();
  return this;
};

for (const name of Object.keys(prototype)) Object.defineProperty(prototype, name, { enumerable: true });

module.exports = {
  kHighWaterMark, kOutHeaders, kUniqueHeaders, kNeedDrain, kErrored, kRejectNonStandardBodyWrites,
  parseUniqueHeadersOption, validateHeaderName, validateHeaderValue, OutgoingMessage,
};
