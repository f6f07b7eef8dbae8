// Blob and File: bytes that do not change, with a type.
//
// Uses binding.wallClock.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors');
const { validateDictionary } = require('internal/validators');
const { isAnyArrayBuffer } = require('internal/util/types');
const { inspectAs } = require('internal/event');
const { TextDecoder, TextEncoder } = require('internal/encoding');
const { kClone, kTransfer, kWire } = require('internal/transfer');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
// By which our own code makes a blob of bytes that nobody else has.
const kBytes = Symbol('kBytes');

const STREAM_CHUNK = 65536;

/// What a part of a blob is in bytes, copied: the program may change its own.
function bytesOf(part, toNative) {
  if (isAnyArrayBuffer(part)) return new Uint8Array(part).slice();
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength).slice();
  if (isBlob(part)) return bytesOfBlob(part);
  let text = `${part}`;
  if (toNative) text = text.replace(/\r\n?/g, '\n');
  return new TextEncoder().encode(text);
}

function join(parts) {
  if (parts.length === 1) return parts[0];
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}

/// A type of other than plain characters is none.
function typeOf(type) {
  const text = `${type}`;
  return /[^\u0020-\u007e]/.test(text) ? '' : text.toLowerCase();
}

// The bytes themselves, for our own code, which does not change them; and whether there are any.
let bytesOfBlob;
let isBlob;

class Blob {
  #bytes;
  // Of a file: says whether it is still what was read.
  #isThere;
  #type;

  constructor(sources = [], options = { __proto__: null }) {
    if (sources === kBytes) {
      this.#bytes = options.bytes;
      this.#isThere = options.isThere;
      this.#type = options.type;
      return;
    }
    if (sources === null || typeof sources !== 'object' || typeof sources[Symbol.iterator] !== 'function') {
      throw new ERR_INVALID_ARG_TYPE('sources', 'a sequence', sources);
    }
    validateDictionary(options, 'options');
    const { type = '', endings = 'transparent' } = options ?? {};
    const ends = `${endings}`;
    if (ends !== 'transparent' && ends !== 'native') throw new ERR_INVALID_ARG_VALUE('options.endings', ends);
    this.#bytes = join(Array.from(sources, (part) => bytesOf(part, ends === 'native')));
    this.#type = typeOf(type);
  }

  static #check(self) {
    if (self === null || typeof self !== 'object' || !(#bytes in self)) throw new ERR_INVALID_THIS('Blob');
  }

  #read() {
    if (this.#isThere === undefined || this.#isThere()) return this.#bytes;
    const { DOMException } = require('internal/domexception');
    throw new DOMException('The blob could not be read', 'NotReadableError');
  }

  get type() {
    Blob.#check(this);
    return this.#type;
  }

  get size() {
    Blob.#check(this);
    return this.#bytes.byteLength;
  }

  slice(start = 0, end = undefined, contentType = '') {
    Blob.#check(this);
    const { byteLength } = this.#bytes;
    const at = (index) => {
      const whole = Math.trunc(+index) || 0;
      return whole < 0 ? Math.max(byteLength + whole, 0) : Math.min(whole, byteLength);
    };
    const from = at(start);
    const to = Math.max(at(end ?? byteLength), from);
    // The bytes do not change, so that both may have them.
    return new Blob(kBytes, { bytes: this.#bytes.subarray(from, to), type: typeOf(contentType), isThere: this.#isThere });
  }

  async arrayBuffer() {
    Blob.#check(this);
    return this.#read().slice().buffer;
  }

  async text() {
    Blob.#check(this);
    return new TextDecoder().decode(this.#read());
  }

  async bytes() {
    Blob.#check(this);
    return this.#read().slice();
  }

  stream() {
    Blob.#check(this);
    const { ReadableStream } = require('internal/webstreams/readable');
    const read = () => this.#read();
    let at = 0;
    // Nothing that a program puts into all objects is taken for a wish.
    return new ReadableStream({
      __proto__: null, type: 'bytes',
      pull(controller) {
        const bytes = read();
        if (at < bytes.byteLength) {
          const chunk = bytes.slice(at, at + STREAM_CHUNK);
          at += chunk.byteLength;
          controller.enqueue(chunk);
          return;
        }
        controller.close();
        controller.byobRequest?.respond(0);
      },
    }, { __proto__: null });
  }

  [kClone]() {
    if (this.#isThere !== undefined) {
      throw new (require('internal/errors').codes.ERR_INVALID_STATE.TypeError)('File-backed Blobs are not cloneable');
    }
    return revive({ bytes: this.#bytes, type: this.#type });
  }

  get [kTransfer]() {
    return null;
  }

  [kWire]() {
    return ['Blob', { bytes: this.#bytes.slice(), type: this.#type }];
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    return inspectAs('Blob', { size: this.size, type: this.type }, depth, options);
  }

  static {
    bytesOfBlob = (blob) => blob.#bytes;
    isBlob = (it) => it !== null && typeof it === 'object' && #bytes in it;
  }
}

class File extends Blob {
  #name;
  #lastModified;

  constructor(fileBits, fileName, options = { __proto__: null }) {
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('fileBits', 'fileName');
    super(fileBits, options);
    if (fileBits === kBytes) {
      this.#name = fileName;
      this.#lastModified = options.lastModified;
      return;
    }
    const { lastModified } = options ?? {};
    this.#lastModified = lastModified === undefined ? binding.wallClock() : Math.trunc(+lastModified) || 0;
    this.#name = `${fileName}`.toWellFormed();
  }

  get name() {
    return this.#name;
  }

  get lastModified() {
    return this.#lastModified;
  }

  [kClone]() {
    return revive({ bytes: bytesOfBlob(this), type: this.type, name: this.#name, lastModified: this.#lastModified });
  }

  [kWire]() {
    const { type } = this;
    return ['Blob', { bytes: bytesOfBlob(this).slice(), type, name: this.#name, lastModified: this.#lastModified }];
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { size, type, name, lastModified } = this;
    return inspectAs('File', { size, type, name, lastModified }, depth, options);
  }
}

/// A blob of bytes that nobody changes, or a file if there is a name. Node 20 makes a blob of a file.
function revive({ bytes, type, name, lastModified }) {
  return name === undefined ? new Blob(kBytes, { bytes, type }) : new File(kBytes, name, { bytes, type, lastModified });
}

/// A blob of what was read of a file. Who reads it asks first whether the file is still that.
function fileBlob(bytes, type, isThere) {
  // Not a `Buffer`, whose parts do not own their bytes.
  return new Blob(kBytes, { bytes: new Uint8Array(bytes), type: typeOf(type), isThere });
}

for (const [Class, names] of [
  [Blob, ['type', 'size', 'slice', 'arrayBuffer', 'text', 'stream']],
  [File, ['name', 'lastModified']],
]) {
  for (const name of names) Object.defineProperty(Class.prototype, name, { enumerable: true });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
}

module.exports = { Blob, File, bytesOfBlob, fileBlob, isBlob, revive };
