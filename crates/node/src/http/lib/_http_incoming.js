// IncomingMessage: a request as a server gets it, a response as a client does.
//
// Most requests have no body and nobody reads them as streams, so what a stream needs is made when
// somebody first asks for it; headers likewise.
//
// Uses binding.httpFields, nextTick.
'use strict';

const Readable = require('internal/streams/readable');
const { ReadableState } = require('internal/streams/readable_state');
const { kConnection, kEnded, kFields, kMaxPairs, kTrailerFields, kVersion } = require('internal/http/parser');

const kHeaders = Symbol('kHeaders');
const kHeadersDistinct = Symbol('kHeadersDistinct');
const kRawHeaders = Symbol('kRawHeaders');
const kTrailers = Symbol('kTrailers');
const kTrailersDistinct = Symbol('kTrailersDistinct');
const kRawTrailers = Symbol('kRawTrailers');

/// Goes on reading a connection.
function readStart(socket) {
  if (!socket || socket._paused || !socket.readable) return;
  const connection = socket[kConnection];
  if (connection?.isConsumed) connection.resume();
  else socket.resume();
}

/// Stops reading a connection for a while.
function readStop(socket) {
  if (!socket) return;
  const connection = socket[kConnection];
  if (connection?.isConsumed) connection.pause();
  else socket.pause();
}

function IncomingMessage(socket) {
  this.socket = socket;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

const { prototype } = IncomingMessage;

// Until a message says otherwise.
Object.assign(prototype, {
  joinDuplicateHeaders: false,
  complete: false,
  aborted: false,
  upgrade: null,
  url: '',
  method: null,
  statusCode: null,
  statusMessage: null,
  _consuming: false,
  _dumped: false,
});
for (const name of ['joinDuplicateHeaders', 'complete', 'aborted', 'upgrade', 'url', 'method', 'statusCode',
  'statusMessage', '_consuming', '_dumped']) {
  Object.defineProperty(prototype, name, { enumerable: false });
}
for (const [name, value] of [
  [kVersion, 0], [kFields, undefined], [kTrailerFields, undefined], [kHeaders, undefined],
  [kHeadersDistinct, undefined], [kRawHeaders, undefined], [kTrailers, undefined], [kTrailersDistinct, undefined],
  [kRawTrailers, undefined], [kMaxPairs, 0], [kEnded, false],
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
  define(this, '_readableState', state);
  state.readingMore = true;
  // It came before anybody looked: as if the end had just been told.
  if (this[kEnded]) this.push(null);
  return state;
}, function(state) { define(this, '_readableState', state); });

// The version as a number of two digits, which says it all.
accessor('httpVersionMajor', function() { return this[kVersion] === 0 ? null : Math.floor(this[kVersion] / 10); },
  function(value) { define(this, 'httpVersionMajor', value); });
accessor('httpVersionMinor', function() { return this[kVersion] === 0 ? null : this[kVersion] % 10; },
  function(value) { define(this, 'httpVersionMinor', value); });
accessor('httpVersion', function() {
  const version = this[kVersion];
  if (version === 11) return '1.1';
  return version === 0 ? null : `${Math.floor(version / 10)}.${version % 10}`;
}, function(value) { define(this, 'httpVersion', value); });

accessor('client', function() { return this.socket; }, function(value) { define(this, 'client', value); });
accessor('connection', function() { return this.socket; }, function(value) { this.socket = value; });

accessor('rawHeaders', function() {
  const fields = this[kFields];
  return (this[kRawHeaders] ??= fields === undefined ? [] : binding.httpFields(fields, 0, this[kMaxPairs]));
}, function(value) { this[kRawHeaders] = value; });

accessor('rawTrailers', function() {
  const fields = this[kTrailerFields];
  return (this[kRawTrailers] ??= fields === undefined ? [] : binding.httpFields(fields, 0, this[kMaxPairs]));
}, function(value) { this[kRawTrailers] = value; });

function collect(message, fields, shape) {
  return fields === undefined ? {} : binding.httpFields(fields, shape, message[kMaxPairs]);
}

accessor('headers', function() {
  return (this[kHeaders] ??= collect(this, this[kFields], this.joinDuplicateHeaders ? 2 : 1));
}, function(value) { this[kHeaders] = value; });

accessor('headersDistinct', function() {
  return (this[kHeadersDistinct] ??= collect(this, this[kFields], 3));
}, function(value) { this[kHeadersDistinct] = value; });

accessor('trailers', function() {
  return (this[kTrailers] ??= collect(this, this[kTrailerFields], this.joinDuplicateHeaders ? 2 : 1));
}, function(value) { this[kTrailers] = value; });

accessor('trailersDistinct', function() {
  return (this[kTrailersDistinct] ??= collect(this, this[kTrailerFields], 3));
}, function(value) { this[kTrailersDistinct] = value; });

prototype.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on('timeout', callback);
  this.socket.setTimeout(msecs);
  return this;
};

prototype._read = function _read(n) {
  if (!this._consuming) {
    this._readableState.readingMore = false;
    this._consuming = true;
  }
  // The socket may have been stopped when we could not keep up.
  if (this.socket?.readable) readStart(this.socket);
};

// A message that goes before it was read takes its connection along.
prototype._destroy = function _destroy(error, callback) {
  if (!this.readableEnded || !this.complete) {
    this.aborted = true;
    this.emit('aborted');
  }
  // Nobody may be listening for errors, and the peer that goes away is no fault of the program.
  if (this.socket && !this.socket.destroyed && this.aborted) {
    this.socket.destroy(error);
    const { eos } = require('internal/streams/end_of_stream');
    const cleanup = eos(this.socket, (reason) => {
      if (reason?.code === 'ERR_STREAM_PREMATURE_CLOSE') reason = null;
      cleanup();
      binding.nextTick(onError, this, error || reason, callback);
    });
  } else {
    binding.nextTick(onError, this, error, callback);
  }
};

function onError(self, error, callback) {
  // Only those who listen for it are told.
  if (self.listenerCount('error') === 0) callback();
  else callback(error);
}

/// Reads on without telling anybody, so that the connection can be used again.
prototype._dump = function _dump() {
  if (this._dumped) return;
  this._dumped = true;
  this.resume();
};

// For those who make messages of their own.

prototype._addHeaderLines = function _addHeaderLines(headers, n) {
  if (!headers?.length) return;
  const target = this.complete ? this.trailers : this.headers;
  if (this.complete) this.rawTrailers = headers;
  else this.rawHeaders = headers;
  for (let i = 0; i < n; i += 2) this._addHeaderLine(headers[i], headers[i + 1], target);
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

for (const name of ['setTimeout', '_read', '_destroy', '_dump', '_addHeaderLines', '_addHeaderLine', '_addHeaderLineDistinct']) {
  Object.defineProperty(prototype, name, { enumerable: true });
}

/// Whether somebody has looked at a message as a stream.
function isStream(message) {
  return Object.hasOwn(message, '_readableState');
}

module.exports = { IncomingMessage, readStart, readStop, isStream };
