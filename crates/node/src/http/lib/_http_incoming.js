// IncomingMessage: a request as a server gets it, a response as a client does.
//
// Most requests have no body and nobody reads them as streams, so what a stream needs is made when
// somebody first asks for it; headers likewise.
//
// Uses binding.httpFields, nextTick.
'use strict';

const Readable = require('internal/streams/readable');
const { ReadableState } = require('internal/streams/readable_state');
const { DONE, DUMPED, ENDED, STREAM, VERSION_SHIFT, kConnection, kMaxPairs, kTrailerFields } = require('internal/http/parser');
const { keepLayouts } = require('internal/http/layouts');

// What was made of the headers so far.
const [kHeaders, kHeadersDistinct, kRawHeaders, kTrailers, kTrailersDistinct, kRawTrailers] =
  ['kHeaders', 'kHeadersDistinct', 'kRawHeaders', 'kTrailers', 'kTrailersDistinct', 'kRawTrailers'].map(Symbol);

/// Goes on reading a connection.
function readStart(socket) {
  if (!socket || socket._paused || !socket.readable) return;
  // One that the parser reads flows unless it was stopped.
  if (!socket[kConnection]?.isConsumed || socket.isPaused()) socket.resume();
}

/// Stops reading a connection for a while.
function readStop(socket) {
  socket?.pause();
}

function IncomingMessage(socket) {
  this.socket = socket;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

const { prototype } = IncomingMessage;

/// The same for a request of which all is known.
function Request(socket, flags, fields, method, url) {
  this.socket = socket;
  this._flags = flags;
  this._fields = fields;
  this.method = method;
  this.url = url;
}
Request.prototype = prototype;

// Until a message says otherwise.
for (const [name, value] of [
  ['joinDuplicateHeaders', false], ['aborted', false], ['upgrade', null], ['url', ''], ['method', null],
  ['statusCode', null], ['statusMessage', null], ['_consuming', false], ['_events', undefined], ['socket', undefined],
  ['_flags', 0], ['_fields', undefined], [kTrailerFields, undefined], [kHeaders, undefined],
  [kHeadersDistinct, undefined], [kRawHeaders, undefined], [kTrailers, undefined], [kTrailersDistinct, undefined],
  [kRawTrailers, undefined], [kMaxPairs, 1000],
]) {
  Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: false });
}

function define(object, name, value) {
  Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: true });
}

function accessor(name, get, set) {
  Object.defineProperty(prototype, name, { __proto__: null, configurable: true, enumerable: true, get, set });
}

accessor('_readableState', function() {
  if (this === prototype) return undefined;
  const { socket } = this;
  const options = socket && { highWaterMark: socket.readableHighWaterMark };
  const state = new ReadableState(options || undefined, this, false);
  this._readableState = state;
  state.readingMore = true;
  // It came before anybody looked: as if the end had just been told.
  if ((this._flags & ENDED) !== 0) this.push(null);
  return state;
}, function(state) {
  define(this, '_readableState', state);
  this._flags |= STREAM;
});

/// A property that is a flag.
function flag(name, bit) {
  accessor(name, function() { return (this._flags & bit) !== 0; }, function(value) {
    if (value) this._flags |= bit;
    else this._flags &= ~bit;
  });
}

flag('complete', DONE);
flag('_dumped', DUMPED);

// The version as a number of two digits, which says it all.
accessor('httpVersionMajor', function() {
  const version = this._flags >> VERSION_SHIFT;
  return version === 0 ? null : Math.floor(version / 10);
}, function(value) { define(this, 'httpVersionMajor', value); });
accessor('httpVersionMinor', function() {
  const version = this._flags >> VERSION_SHIFT;
  return version === 0 ? null : version % 10;
}, function(value) { define(this, 'httpVersionMinor', value); });
accessor('httpVersion', function() {
  const version = this._flags >> VERSION_SHIFT;
  if (version === 11) return '1.1';
  return version === 0 ? null : `${Math.floor(version / 10)}.${version % 10}`;
}, function(value) { define(this, 'httpVersion', value); });

accessor('client', function() { return this.socket; }, function(value) { define(this, 'client', value); });
accessor('connection', function() { return this.socket; }, function(value) { this.socket = value; });

accessor('rawHeaders', function() {
  const fields = this._fields;
  return (this[kRawHeaders] ??= fields === undefined ? [] : binding.httpFields(fields, 0, this[kMaxPairs]));
}, function(value) { this[kRawHeaders] = value; });

accessor('rawTrailers', function() {
  const fields = this[kTrailerFields];
  return (this[kRawTrailers] ??= fields === undefined ? [] : binding.httpFields(fields, 0, this[kMaxPairs]));
}, function(value) { this[kRawTrailers] = value; });

// How headers are collected; http/mod.rs has the same numbers.
const FIRST = 1;
const JOINED = 2;
const DISTINCT = 3;

function collect(message, fields, shape) {
  if (fields !== undefined) return binding.httpFields(fields, shape, message[kMaxPairs]);
  return shape === DISTINCT ? { __proto__: null } : {};
}

accessor('headers', function() {
  return (this[kHeaders] ??= collect(this, this._fields, this.joinDuplicateHeaders ? JOINED : FIRST));
}, function(value) { this[kHeaders] = value; });

accessor('headersDistinct', function() {
  return (this[kHeadersDistinct] ??= collect(this, this._fields, DISTINCT));
}, function(value) { this[kHeadersDistinct] = value; });

accessor('trailers', function() {
  return (this[kTrailers] ??= collect(this, this[kTrailerFields], this.joinDuplicateHeaders ? JOINED : FIRST));
}, function(value) { this[kTrailers] = value; });

accessor('trailersDistinct', function() {
  return (this[kTrailersDistinct] ??= collect(this, this[kTrailerFields], DISTINCT));
}, function(value) { this[kTrailersDistinct] = value; });

prototype.setTimeout = function setTimeout(msecs, callback) {
  this.socket.setTimeout(msecs);
  if (callback) this.on('timeout', callback);
  return this;
};

/// Bytes come from the parser by themselves; the socket may have been stopped when nobody took them.
prototype._read = function _read(n) {
  const { socket } = this;
  if (!this._consuming) {
    this._consuming = true;
    this._readableState.readingMore = false;
  }
  if (socket?.readable) readStart(socket);
};

/// A message that goes before it was read takes its connection along, and waits for its end.
prototype._destroy = function _destroy(error, callback) {
  const isRead = this.complete && this.readableEnded;
  if (!isRead) {
    this.aborted = true;
    this.emit('aborted');
  }
  const { socket } = this;
  if (isRead || !socket || socket.destroyed) {
    tellLater(this, error, callback);
    return;
  }
  socket.destroy(error);
  const forget = require('internal/streams/end_of_stream').eos(socket, (reason) => {
    forget();
    // That it ends early is what was asked for.
    tellLater(this, error || (reason?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? null : reason), callback);
  });
};

/// A peer that goes away is no fault of the program: only those who listen for errors are told.
function tellLater(message, error, callback) {
  binding.nextTick(tellDestroyed, message, error, callback);
}

function tellDestroyed(message, error, callback) {
  callback(message.listenerCount('error') > 0 ? error : undefined);
}

/// Reads on without telling anybody, so that the connection can be used again.
prototype._dump = function _dump() {
  if (this._dumped) return;
  this._dumped = true;
  if (this.listenerCount('data') > 0) this.removeAllListeners('data');
  this.resume();
};

// For those who make messages of their own.

prototype._addHeaderLines = function _addHeaderLines(headers, n) {
  if (!headers?.length) return;
  const [raw, named] = this.complete ? ['rawTrailers', 'trailers'] : ['rawHeaders', 'headers'];
  this[raw] = headers;
  for (let at = 0; at < n; at += 2) this._addHeaderLine(headers[at], headers[at + 1], this[named]);
};

const single = new Set(['age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host',
  'if-modified-since', 'if-unmodified-since', 'last-modified', 'location', 'max-forwards', 'proxy-authorization',
  'referer', 'retry-after', 'server', 'user-agent']);

prototype._addHeaderLine = function _addHeaderLine(field, value, dest) {
  const name = field.toLowerCase();
  const present = dest[name];
  if (name === 'set-cookie') {
    if (present !== undefined) present.push(value);
    else dest[name] = [value];
  } else if (typeof present !== 'string') {
    if (present === undefined || !single.has(name)) dest[name] = value;
  } else if (!single.has(name) || this.joinDuplicateHeaders) {
    dest[name] = `${present}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
};

prototype._addHeaderLineDistinct = function _addHeaderLineDistinct(field, value, dest) {
  const name = field.toLowerCase();
  (dest[name] ??= []).push(value);
};

/// Whether somebody has looked at a message as a stream.
function isStream(message) {
  return (message._flags & STREAM) !== 0;
}

keepLayouts(prototype, ['socket', '_flags', '_fields', 'method', 'url']);

module.exports = { IncomingMessage, Request, readStart, readStop, isStream };
