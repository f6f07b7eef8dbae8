// A parser as packages use it that read HTTP by themselves: bytes in, calls of numbered properties out. Our own
// servers and clients do without it, see parser.js.
//
// Uses binding.httpParser, httpExecute, httpFinish, httpClose, httpFields.
'use strict';

const hooked = require('internal/hooked');
const { COMPLETE, KEEP_ALIVE, UPGRADE, parseError, toBuffer } = require('internal/http/parser');
const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_INVALID_ARG_TYPE, ERR_INVALID_STATE } } = require('internal/errors');
const { isArrayBufferView } = require('internal/util/types');

const REQUEST = 1;
const RESPONSE = 2;
// The properties that are called.
const MESSAGE_BEGIN = 0;
const HEADERS = 1;
const HEADERS_COMPLETE = 2;
const BODY = 3;
const MESSAGE_COMPLETE = 4;
const LENIENT = ['Headers', 'ChunkedLength', 'KeepAlive', 'TransferEncoding', 'Version', 'DataAfterClose', 'OptionalLFAfterCR',
  'OptionalCRLFAfterChunk', 'OptionalCRBeforeLF', 'SpacesAfterChunkSize'];
const DEFAULT_HEADER_SIZE = 16384;

class HTTPParser {
  #native;
  #ofResponses = false;
  #resource;
  #hasHead = false;
  #hasBegun = false;

  initialize(type, resource, maxHeaderSize = 0, lenient = 0) {
    this.#ofResponses = type === RESPONSE;
    this.#native = binding.httpParser(this.#ofResponses, maxHeaderSize || DEFAULT_HEADER_SIZE, lenient !== 0);
    this.#hasHead = this.#hasBegun = false;
    this.#forget();
    if (binding.heard !== undefined) this.#resource = hooked.made(this.#ofResponses ? 'HTTPCLIENTREQUEST' : 'HTTPINCOMINGMESSAGE', resource);
  }

  /// How many bytes were taken, or an error. What is called may throw.
  execute(bytes, offset = 0, length = bytes?.length - offset) {
    if (!isArrayBufferView(bytes)) throw new ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], bytes);
    const part = toBuffer(bytes, offset, offset + length);
    if (length > 0 && this.#native !== undefined) this.#begin();
    const taken = binding.httpExecute(this.#ready(), part, this, HTTPParser.#onHead, HTTPParser.#onBody, HTTPParser.#onComplete);
    return typeof taken === 'number' ? taken : parseError(taken);
  }

  finish() {
    const finished = binding.httpFinish(this.#ready());
    if (finished === true) HTTPParser.#onComplete(this, '');
    else if (finished !== false) return parseError(finished);
  }

  close() {
    if (this.#native !== undefined) binding.httpClose(this.#native);
    this.#forget();
  }

  free() { this.#forget(); }
  remove() {}
  headersCompleted() { return this.#hasHead; }
  getCurrentBuffer() { return toBuffer(new Uint8Array(0), 0, 0); }
  duration() { return 0; }

  #ready() {
    if (this.#native === undefined) throw new ERR_INVALID_STATE('initialize() was not called');
    return this.#native;
  }

  // With its first byte.
  #begin() {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#call(MESSAGE_BEGIN);
  }

  #forget() {
    if (this.#resource !== undefined) hooked.ended(this.#resource);
    this.#resource = undefined;
  }

  #call(property, ...args) {
    const told = this[property];
    if (typeof told !== 'function') return undefined;
    if (this.#resource === undefined) return Reflect.apply(told, this, args);
    return hooked.call(this.#resource, (...args) => Reflect.apply(told, this, args), ...args);
  }

  static #onHead(parser, flags, version, number, text, fields) {
    parser.#hasHead = true;
    const ofResponses = parser.#ofResponses;
    parser.#begin();
    const about = ofResponses ? [undefined, undefined, number, text] : [number, text, undefined, undefined];
    const verdict = parser.#call(HEADERS_COMPLETE, Math.floor(version / 10), version % 10, binding.httpFields(fields, 0), ...about,
      (flags & UPGRADE) !== 0, (flags & KEEP_ALIVE) !== 0);
    if ((flags & COMPLETE) !== 0) HTTPParser.#onComplete(parser, '');
    return verdict | 0;
  }

  static #onBody(parser, bytes, from, to) {
    parser.#call(BODY, toBuffer(bytes, from, to));
  }

  static #onComplete(parser, trailers) {
    if (trailers !== '') parser.#call(HEADERS, binding.httpFields(trailers, 0), '');
    parser.#hasBegun = false;
    parser.#call(MESSAGE_COMPLETE);
  }
}

// What is about streams of Node's own kind.
for (const name of ['pause', 'resume', 'consume', 'unconsume']) {
  Object.defineProperty(HTTPParser.prototype, name, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    writable: true,
    value: { [name]() { throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`HTTPParser.${name}`); } }[name],
  });
}

Object.assign(HTTPParser, {
  REQUEST,
  RESPONSE,
  kOnMessageBegin: MESSAGE_BEGIN,
  kOnHeaders: HEADERS,
  kOnHeadersComplete: HEADERS_COMPLETE,
  kOnBody: BODY,
  kOnMessageComplete: MESSAGE_COMPLETE,
  kOnExecute: 5,
  kOnTimeout: 6,
  kLenientNone: 0,
  ...Object.fromEntries(LENIENT.map((name, bit) => [`kLenient${name}`, 2 ** bit])),
  kLenientAll: 2 ** LENIENT.length - 1,
});

module.exports = { HTTPParser };
