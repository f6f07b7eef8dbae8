// The head of an outgoing message: its lines, and what they say about the body and the connection
// (rules OUT-1 to OUT-7 in docs/library/http.md).
'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_HTTP_TRAILER_INVALID, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const {
  chunkExpression, closeExpression, toLower, utcDate, validateHeaderName, validateHeaderValue,
} = require('internal/http/headers');

// What the lines of a head have said so far.
const CONNECTION = 1;
const LENGTH = 2;
const ENCODING = 4;
const DATE = 8;
const EXPECT = 16;
const TRAILER = 32;

/// The headers that mean something to the message itself: each notes it and gives its bit.
const meanings = {
  __proto__: null,
  'connection'(message, value) {
    if (closeExpression.test(value)) message._last = true;
    else message.shouldKeepAlive = true;
    return CONNECTION;
  },
  'content-length'(message, value) {
    message._contentLength = Number(value);
    return LENGTH;
  },
  'date': () => DATE,
  'expect': () => EXPECT,
  'keep-alive'(message) {
    message._defaultKeepAlive = false;
    return 0;
  },
  'trailer': () => TRAILER,
  'transfer-encoding'(message, value) {
    if (chunkExpression.test(value)) message.chunkedEncoding = true;
    return ENCODING;
  },
};

/// A head in the making.
class Head {
  constructor(message, firstLine, unique) {
    this.message = message;
    this.text = firstLine;
    this.unique = unique;
    this.said = 0;
  }

  /// Adds a header whose name and value were checked when they were set (OUT-2).
  add(name, value) {
    if (Array.isArray(value)) {
      const key = toLower(name);
      if (this.unique?.has(key) || (key === 'cookie' && value.length > 1)) this.line(name, value.join('; '));
      else for (const one of value) this.line(name, one);
    } else {
      this.line(name, value);
    }
  }

  /// Adds a header that comes from the program as it is.
  addUnchecked(name, value) {
    validateHeaderName(name);
    if (!Array.isArray(value)) validateHeaderValue(name, value);
    else for (const one of value) validateHeaderValue(name, one);
    this.add(name, value);
  }

  line(name, value) {
    const key = toLower(name);
    // The bytes of a file name are in UTF-8, and a head that goes with a body in one string is written in that.
    if (key === 'content-disposition' && this.message._contentLength) value = Buffer.from(String(value), 'latin1').toString();
    this.text += `${name}: ${value}\r\n`;
    const meaning = meanings[key];
    if (meaning !== undefined) this.said |= meaning(this.message, value);
  }

  /// Adds headers in any form that programs may give them: an object, a list of pairs, a flat list.
  addAll(headers) {
    if (!Array.isArray(headers)) {
      for (const name of Object.keys(headers)) this.addUnchecked(name, headers[name]);
    } else if (Array.isArray(headers[0])) {
      for (const [name, value] of headers) this.addUnchecked(name, value);
    } else if (headers.length % 2 === 0) {
      for (let at = 0; at < headers.length; at += 2) this.addUnchecked(headers[at], headers[at + 1]);
    } else {
      throw new ERR_INVALID_ARG_VALUE('headers', headers);
    }
  }

  /// Adds what the program left to us.
  complete() {
    const { message, said } = this;
    if (message.sendDate && (said & DATE) === 0) this.text += `Date: ${utcDate()}\r\n`;
    // OUT-5: chunks are not allowed here, and whoever reads may wait for some.
    if (message.chunkedEncoding && (message.statusCode === 204 || message.statusCode === 304)) {
      message.chunkedEncoding = false;
      message.shouldKeepAlive = false;
    }
    if ((said & CONNECTION) === 0) this.text += connectionLines(message, said);
    if ((said & (LENGTH | ENCODING)) === 0) this.text += bodyLine(message, said);
    if ((said & TRAILER) !== 0 && !message.chunkedEncoding) throw new ERR_HTTP_TRAILER_INVALID();
    return `${this.text}\r\n`;
  }

  /// Whether the other side is to answer the head before it gets the body (OUT-6).
  get isExpecting() {
    return (this.said & EXPECT) !== 0;
  }
}

/// OUT-3: whether the connection outlives the message, in a head that does not say.
function connectionLines(message, said) {
  if (message._removedConnection) {
    message._last = !message.shouldKeepAlive;
    return '';
  }
  // Who reads must find the end of the message without the end of the connection.
  const hasEnd = (said & LENGTH) !== 0 || message.useChunkedEncodingByDefault || message.agent;
  if (!message.shouldKeepAlive || !hasEnd) {
    message._last = true;
    return 'Connection: close\r\n';
  }
  if (message.maxRequestsOnConnectionReached) return 'Connection: close\r\n';
  if (!message._keepAliveTimeout || !message._defaultKeepAlive) return 'Connection: keep-alive\r\n';
  const seconds = Math.floor(message._keepAliveTimeout / 1000);
  const most = message._maxRequestsPerSocket > 0 ? `, max=${message._maxRequestsPerSocket}` : '';
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}${most}\r\n`;
}

/// OUT-4: how the body ends, in a head that does not say: by its length, by a last chunk, or with the
/// connection.
function bodyLine(message, said) {
  if (!message._hasBody) {
    message.chunkedEncoding = false;
    return '';
  }
  if (message.useChunkedEncodingByDefault) {
    const length = message._contentLength;
    if (typeof length === 'number' && (said & TRAILER) === 0 && !message._removedContLen) return `Content-Length: ${length}\r\n`;
    if (!message._removedTE) {
      message.chunkedEncoding = true;
      return 'Transfer-Encoding: chunked\r\n';
    }
  }
  message._last = true;
  return '';
}

module.exports = { Head };
