// The classes of `v8` that write and read values as V8 does, and their default behaviour: views of buffers
// are copied without the rest of their buffer.
'use strict';

const { Buffer } = require('buffer');
const { nameOf, nativeError } = require('internal/structured_clone');
const { Reader, Writer } = require('internal/wire');

// The numbers by which views are told apart.
const views = [
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array,
  Float64Array, DataView, Buffer, BigInt64Array, BigUint64Array,
];

function numberOf(view) {
  if (Buffer.isBuffer(view)) return views.indexOf(Buffer);
  const text = Object.prototype.toString.call(view);
  return views.findIndex((View) => View !== Buffer && text === `[object ${View.name}]`);
}

/// The memory of a view, byte by byte.
function bytesOf(view, name) {
  if (!ArrayBuffer.isView(view)) {
    throw nativeError(TypeError, 'ERR_INVALID_ARG_TYPE', `${name} must be a TypedArray or a DataView`);
  }
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

const failed = (name) => new Error(`${name}() failed`);

class Serializer {
  #writer = new Writer({
    hostObject: (_, object) => {
      if (!ArrayBuffer.isView(object) || !this.#writer.viewsAreHostObjects) return false;
      if (typeof this._writeHostObject !== 'function') this.#refuse(object);
      this.#writer.hostTag();
      this._writeHostObject(object);
      return true;
    },
    sharedBuffer: (_, buffer) => {
      if (typeof this._getSharedArrayBufferId !== 'function') this.#refuse(buffer);
      this.#writer.uint32(this._getSharedArrayBufferId(buffer) >>> 0);
    },
    refuse: (value) => this.#refuse(value),
  });

  #refuse(value) {
    throw this._getDataCloneError(`${nameOf(value)} could not be cloned.`);
  }

  writeHeader() {
    this.#writer.header();
  }

  writeValue(value) {
    this.#writer.value(value);
    return true;
  }

  releaseBuffer() {
    const bytes = this.#writer.finish();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  transferArrayBuffer(number, buffer) {
    this.#writer.transfer(number >>> 0, buffer);
  }

  writeUint32(number) {
    this.#writer.uint32(number >>> 0);
  }

  writeUint64(high, low) {
    this.#writer.uint64(high, low);
  }

  writeDouble(number) {
    this.#writer.double(Number(number));
  }

  writeRawBytes(source) {
    this.#writer.raw(bytesOf(source, 'source'));
  }

  _setTreatArrayBufferViewsAsHostObjects(flag) {
    this.#writer.viewsAreHostObjects = Boolean(flag);
  }
}

Serializer.prototype._getDataCloneError = Error;

class Deserializer {
  #reader;

  constructor(buffer) {
    this.#reader = new Reader(bytesOf(buffer, 'buffer'), {
      hostObject: () => {
        if (typeof this._readHostObject !== 'function') throw failed('ReadHostObject');
        return this._readHostObject();
      },
      sharedBuffer: () => this._getSharedArrayBuffer?.(this.#reader.uint32()),
    });
    this.buffer = buffer;
  }

  #read(name, read) {
    try {
      return read();
    } catch {
      throw failed(name);
    }
  }

  readHeader() {
    this.#reader.header();
    return true;
  }

  readValue() {
    return this.#reader.value();
  }

  getWireFormatVersion() {
    return this.#reader.version;
  }

  transferArrayBuffer(number, buffer) {
    this.#reader.transfer(number >>> 0, buffer);
  }

  readUint32() {
    return this.#read('ReadUint32', () => this.#reader.uint32());
  }

  readUint64() {
    return this.#read('ReadUint64', () => this.#reader.uint64());
  }

  readDouble() {
    return this.#read('ReadDouble', () => this.#reader.double());
  }

  readRawBytes(length) {
    return this.#read('ReadRawBytes', () => this.#reader.raw(length));
  }
}

class DefaultSerializer extends Serializer {
  constructor() {
    super();
    this._setTreatArrayBufferViewsAsHostObjects(true);
  }

  _writeHostObject(view) {
    const number = numberOf(view);
    if (number < 0) throw this._getDataCloneError(`Unserializable host object: ${nameOf(view)}`);
    this.writeUint32(number);
    this.writeUint32(view.byteLength);
    this.writeRawBytes(view);
  }
}

class DefaultDeserializer extends Deserializer {
  _readHostObject() {
    const View = views[this.readUint32()];
    // A copy, which begins where any view may.
    const { buffer } = new Uint8Array(this.readRawBytes(this.readUint32()));
    return View === Buffer ? Buffer.from(buffer) : new View(buffer, 0, buffer.byteLength / (View.BYTES_PER_ELEMENT ?? 1));
  }
}

/// One value with its header, by such a serializer.
function write(serializer, value) {
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

function read(deserializer) {
  deserializer.readHeader();
  return deserializer.readValue();
}

module.exports = { Serializer, Deserializer, DefaultSerializer, DefaultDeserializer, write, read };
