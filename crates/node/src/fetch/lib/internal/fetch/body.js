// Bodies of requests and responses: what they are made of, as a stream and as a whole.
//
// A body of which the bytes are at hand gets a stream when somebody looks at it; to read it as a whole
// does not need one.
'use strict';

const { Buffer } = require('buffer');
const { bytesOfBlob, isBlob } = require('internal/blob');
const { isDisturbed } = require('internal/streams/is');
const { isAnyArrayBuffer, isArrayBuffer } = require('internal/util/types');
const { domString } = require('internal/fetch/webidl');

const streams = () => require('internal/webstreams/readable');
const isReadableStream = (value) => value !== null && typeof value === 'object' && value instanceof streams().ReadableStream;

const kFresh = 0;
const kRead = 1;
const kMoved = 2;

class Body {
  #stream;
  #state = kFresh;
  // What it was made from, if it can be sent again: text, bytes, a blob or a form.
  source;
  // How many bytes, if that is known.
  length;
  // The bytes of the source, a list of pieces.
  #pieces;

  constructor(source, length, pieces, stream = undefined) {
    this.source = source;
    this.length = length;
    this.#pieces = pieces;
    this.#stream = stream;
  }

  /// Over a stream that the program or the network fills.
  static of(stream, source = null, length = null) {
    return new Body(source, length, undefined, stream);
  }

  get stream() {
    if (this.#stream !== undefined) return this.#stream;
    if (this.#state === kFresh) return this.#stream = streamOf(this.#pieces);
    // What has been done with it shows on the stream.
    this.#stream = new (streams().ReadableStream)({ type: 'bytes', start: (controller) => controller.close() });
    if (this.#state === kRead) this.#stream.getReader().read();
    else this.#stream.cancel();
    return this.#stream;
  }

  get unusable() {
    if (this.#state !== kFresh) return true;
    return this.#stream !== undefined && (this.#stream.locked || isDisturbed(this.#stream));
  }

  get used() {
    return this.#stream === undefined ? this.#state !== kFresh : isDisturbed(this.#stream);
  }

  /// All of its bytes, once.
  async bytes() {
    if (this.#stream !== undefined) return readAll(this.#stream);
    this.#state = kRead;
    return join(this.#pieces());
  }

  /// Another body with the same bytes.
  clone() {
    if (this.#stream === undefined) return new Body(this.source, this.length, this.#pieces);
    const [first, second] = this.#stream.tee();
    this.#stream = first;
    return Body.of(second, this.source, this.length);
  }

  /// A body with these bytes, which this one no longer has.
  move() {
    if (this.#stream === undefined) {
      this.#state = kMoved;
      return new Body(this.source, this.length, this.#pieces);
    }
    const { TransformStream } = require('internal/webstreams/transform');
    return Body.of(this.#stream.pipeThrough(new TransformStream()), this.source, this.length);
  }

  /// The pieces themselves if nobody has looked at it as a stream, for sending.
  takePieces() {
    if (this.#stream !== undefined || this.#state !== kFresh) return undefined;
    this.#state = kRead;
    return this.#pieces();
  }

  /// A body that can be sent after this one was.
  again() {
    return new Body(this.source, this.length, this.#pieces);
  }

  /// Nobody wants the rest.
  cancel(reason) {
    if (this.#stream === undefined) this.#state = kRead;
    else this.#stream.cancel(reason).catch(() => {});
  }
}

function streamOf(makePieces) {
  let pieces;
  return new (streams().ReadableStream)({
    type: 'bytes',
    pull(controller) {
      pieces ??= makePieces().filter((piece) => piece.byteLength > 0).reverse();
      const piece = pieces.pop();
      // A stream of bytes takes the buffer over.
      if (piece !== undefined) controller.enqueue(new Uint8Array(piece));
      if (pieces.length === 0) {
        Promise.resolve().then(() => {
          // Somebody may have cancelled it meanwhile.
          try {
            controller.close();
            controller.byobRequest?.respond(0);
          } catch { }
        });
      }
    },
  });
}

/// A stream of what an iterable object gives.
function streamFrom(iterable) {
  let iterator;
  return new (streams().ReadableStream)({
    type: 'bytes',
    start() { iterator = iterable[Symbol.asyncIterator](); },
    async pull(controller) {
      for (;;) {
        const { done, value } = await iterator.next();
        if (done) {
          Promise.resolve().then(() => {
            controller.close();
            controller.byobRequest?.respond(0);
          });
          return;
        }
        const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value);
        if (bytes.byteLength === 0) continue;
        controller.enqueue(new Uint8Array(bytes));
        return;
      }
    },
    async cancel() { await iterator.return?.(); },
  });
}

async function readAll(stream) {
  const reader = stream.getReader();
  const pieces = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return join(pieces);
    if (!(value instanceof Uint8Array)) throw new TypeError('Received non-Uint8Array chunk');
    pieces.push(value);
  }
}

/// The pieces in one, in memory that nobody else has.
function join(pieces) {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}

/// What may be given for a body, as the standard converts it.
function convertBody(value, place, argument) {
  if (typeof value === 'string' || value === null) return value;
  if (typeof value !== 'object' && typeof value !== 'function') return domString(value, place, argument);
  if (isReadableStream(value) || isBlob(value)) return value;
  if (ArrayBuffer.isView(value)) {
    if (isAnyArrayBuffer(value.buffer) && !isArrayBuffer(value.buffer)) throw new TypeError('ArrayBuffer: SharedArrayBuffer is not allowed.');
    return value;
  }
  if (isArrayBuffer(value) || isForm(value) || isSearchParams(value)) return value;
  if (typeof value === 'object' && value[Symbol.asyncIterator]) return value;
  return domString(value, place, argument);
}

const isForm = (value) => value instanceof require('internal/formdata').FormData;
const isSearchParams = (value) => value instanceof require('internal/url').URLSearchParams;

/// The body of a converted value, and the type that it brings along, or null.
function extractBody(value, keepalive = false) {
  if (typeof value === 'string') return ofText(value, 'text/plain;charset=UTF-8');
  if (ArrayBuffer.isView(value) || isArrayBuffer(value)) {
    // Copied, as the program may change its own.
    const bytes = ArrayBuffer.isView(value) ?
      new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice() :
      new Uint8Array(value.slice(0));
    return [new Body(bytes, bytes.byteLength, () => [bytes]), null];
  }
  if (isBlob(value)) return [new Body(value, value.size, () => [bytesOfBlob(value)]), value.type || null];
  if (isReadableStream(value) || !(isForm(value) || isSearchParams(value))) {
    if (keepalive) throw new TypeError('keepalive');
    if (isDisturbed(value) || value.locked) throw new TypeError('Response body object should not be disturbed or locked');
    return [Body.of(isReadableStream(value) ? value : streamFrom(value)), null];
  }
  if (isSearchParams(value)) return ofText(value.toString(), 'application/x-www-form-urlencoded;charset=UTF-8');
  const { encodeForm, newBoundary } = require('internal/fetch/multipart');
  const boundary = newBoundary();
  const pieces = encodeForm(value, boundary);
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  return [new Body(value, length, () => pieces), `multipart/form-data; boundary=${boundary}`];
}

function ofText(text, type) {
  return [new Body(text, Buffer.byteLength(text), () => [new Uint8Array(Buffer.from(text))]), type];
}

/// Gives a class the methods that read a body. `partsOf` gives the body of an object, its headers and
/// whether it was aborted, and throws when it is not of the class.
function mixBody(Class, partsOf) {
  const read = async (self, convert) => {
    const { body, headers, aborted } = partsOf(self);
    if (aborted) {
      const { DOMException } = require('internal/domexception');
      throw new DOMException('The operation was aborted.', 'AbortError');
    }
    if (body === null) return convert(new Uint8Array(0), headers);
    if (body.unusable) throw new TypeError('Body is unusable: Body has already been read');
    return convert(await body.bytes(), headers);
  };
  const text = (bytes) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const start = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
    return buffer.utf8Slice(start, buffer.length);
  };
  const methods = {
    blob() {
      return read(this, (bytes, headers) => {
        const { mimeTypeOf, serializeMimeType } = require('internal/fetch/mime');
        const type = mimeTypeOf(headers);
        const { Blob } = require('internal/blob');
        return new Blob([bytes], { type: type === undefined ? '' : serializeMimeType(type) });
      });
    },
    arrayBuffer() { return read(this, (bytes) => bytes.buffer); },
    text() { return read(this, text); },
    json() { return read(this, (bytes) => JSON.parse(text(bytes))); },
    formData() { return read(this, readForm); },
    bytes() { return read(this, (bytes) => bytes); },
  };
  for (const name of Object.keys(methods)) {
    Object.defineProperty(Class.prototype, name, { value: methods[name], writable: true, enumerable: true, configurable: true });
  }
}

function readForm(bytes, headers) {
  const { mimeTypeOf } = require('internal/fetch/mime');
  const { FormData } = require('internal/formdata');
  const type = mimeTypeOf(headers);
  if (type?.essence === 'multipart/form-data') {
    const boundary = type.parameters.get('boundary');
    const { parseForm } = require('internal/fetch/multipart');
    const form = boundary === undefined ? undefined : parseForm(bytes, boundary, FormData);
    if (form === undefined) throw new TypeError('Failed to parse body as FormData.');
    return form;
  }
  if (type?.essence === 'application/x-www-form-urlencoded') {
    const { URLSearchParams } = require('internal/url');
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(Buffer.from(bytes.buffer).utf8Slice())) form.append(name, value);
    return form;
  }
  throw new TypeError('Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".');
}

module.exports = { Body, convertBody, extractBody, join, mixBody };
