// Values as V8 writes them: those of `v8.serialize`, and the messages of `serialization: 'advanced'`, so that
// Node understands them.
//
// A value is a tag and what belongs to it. Numbers without a sign are written seven bits at a time; objects
// are counted as they come, and one that comes again is written as its number.
'use strict';

const { types } = require('util');
const { Buffer } = require('buffer');

const VERSION = 15;
// How a view of an array buffer, and any other object of the library, is marked within a message.
const VIEW = 0;
const OTHER = 1;

const views = [
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array,
  Float64Array, DataView, Buffer, BigInt64Array, BigUint64Array,
];

// The flags of a regular expression, a bit each.
const flagBits = { __proto__: null, g: 1, i: 2, m: 4, y: 8, u: 16, s: 32, d: 128, v: 256 };

const errorTags = { __proto__: null, EvalError: 'E', RangeError: 'R', ReferenceError: 'F', SyntaxError: 'S', TypeError: 'T', URIError: 'U' };
const errorClasses = { __proto__: null, E: EvalError, R: RangeError, F: ReferenceError, S: SyntaxError, T: TypeError, U: URIError };

function dataCloneError(value) {
  const text = typeof value === 'object' ? `#<${value.constructor?.name ?? 'Object'}>` : value.toString();
  return new Error(`${text} could not be cloned.`);
}

class Writer {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;
  #seen = new Map();
  #isMessage;

  constructor(isMessage) {
    this.#isMessage = isMessage;
  }

  result() {
    return this.#bytes.subarray(0, this.#length);
  }

  #room(count) {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  byte(byte) {
    this.#room(1);
    this.#bytes[this.#length++] = byte;
  }

  tag(letter) {
    this.byte(letter.charCodeAt(0));
  }

  varint(number) {
    while (number >= 128) {
      this.byte((number % 128) | 128);
      number = Math.floor(number / 128);
    }
    this.byte(number);
  }

  double(number) {
    this.#room(8);
    this.#length = this.#bytes.writeDoubleLE(number, this.#length);
  }

  raw(bytes) {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  text(text) {
    // eslint-disable-next-line no-control-regex
    if (/^[\x00-\xff]*$/.test(text)) {
      this.tag('"');
      this.varint(text.length);
      this.raw(Buffer.from(text, 'latin1'));
      return;
    }
    const bytes = Buffer.from(text, 'utf16le');
    // The units stand at even places.
    let width = 1;
    for (let length = bytes.length; length >= 128; length = Math.floor(length / 128)) width++;
    if ((this.#length + 1 + width) % 2 === 1) this.byte(0);
    this.tag('c');
    this.varint(bytes.length);
    this.raw(bytes);
  }

  bigint(value) {
    const isNegative = value < 0n;
    let rest = isNegative ? -value : value;
    const bytes = [];
    while (rest > 0n) {
      bytes.push(Number(rest & 255n));
      rest >>= 8n;
    }
    while (bytes.length % 8 !== 0) bytes.push(0);
    this.varint(bytes.length * 2 + (isNegative ? 1 : 0));
    this.raw(bytes);
  }

  number(value) {
    if (Number.isInteger(value) && value >= -(2 ** 30) && value < 2 ** 30 && !Object.is(value, -0)) {
      this.tag('I');
      this.varint(value < 0 ? -value * 2 - 1 : value * 2);
    } else {
      this.tag('N');
      this.double(value);
    }
  }

  value(value) {
    switch (typeof value) {
      case 'undefined': return this.tag('_');
      case 'boolean': return this.tag(value ? 'T' : 'F');
      case 'number': return this.number(value);
      case 'string': return this.text(value);
      case 'bigint':
        this.tag('Z');
        return this.bigint(value);
      case 'object':
        return value === null ? this.tag('0') : this.#object(value);
      default:
        throw dataCloneError(value);
    }
  }

  #object(value) {
    const known = this.#seen.get(value);
    if (known !== undefined) {
      this.tag('^');
      this.varint(known);
      return;
    }
    this.#seen.set(value, this.#seen.size);
    if (ArrayBuffer.isView(value)) this.#view(value);
    else if (Array.isArray(value)) this.#array(value);
    else if (types.isDate(value)) this.#with('D', () => this.double(value.getTime()));
    else if (types.isRegExp(value)) this.#regExp(value);
    else if (types.isMap(value)) this.#map(value);
    else if (types.isSet(value)) this.#set(value);
    else if (types.isNativeError(value)) this.#error(value);
    else if (types.isAnyArrayBuffer(value)) this.#buffer(value);
    else if (types.isBoxedPrimitive(value)) this.#boxed(value);
    else if (types.isPromise(value) || types.isWeakMap(value) || types.isWeakSet(value) || types.isProxy(value)) {
      throw dataCloneError(value);
    } else this.#plain(value);
  }

  #with(letter, write) {
    this.tag(letter);
    write();
  }

  #properties(object, names) {
    for (const name of names) {
      const index = Number(name);
      if (String(index >>> 0) === name && index < 2 ** 32 - 1) this.number(index);
      else this.text(name);
      this.value(object[name]);
    }
    return names.length;
  }

  #plain(value) {
    this.tag('o');
    const count = this.#properties(value, Object.keys(value));
    this.tag('{');
    this.varint(count);
  }

  #array(value) {
    const { length } = value;
    const names = Object.keys(value);
    const isDense = names.length >= length && names[length - 1] === (length === 0 ? undefined : String(length - 1));
    this.tag(isDense ? 'A' : 'a');
    this.varint(length);
    if (isDense) for (let at = 0; at < length; at++) this.value(value[at]);
    const count = this.#properties(value, isDense ? names.slice(length) : names);
    this.tag(isDense ? '$' : '@');
    this.varint(count);
    this.varint(length);
  }

  #map(value) {
    const entries = [...value];
    this.tag(';');
    for (const [key, item] of entries) {
      this.value(key);
      this.value(item);
    }
    this.tag(':');
    this.varint(2 * entries.length);
  }

  #set(value) {
    const items = [...value];
    this.tag("'");
    for (const item of items) this.value(item);
    this.tag(',');
    this.varint(items.length);
  }

  #regExp(value) {
    this.tag('R');
    this.text(value.source);
    let bits = 0;
    for (const flag of value.flags) bits |= flagBits[flag];
    this.varint(bits);
  }

  #error(value) {
    this.tag('r');
    const kind = errorTags[value.name];
    if (kind !== undefined) this.tag(kind);
    const message = Object.getOwnPropertyDescriptor(value, 'message');
    if (message !== undefined && 'value' in message) {
      this.tag('m');
      this.text(String(message.value));
    }
    if (Object.hasOwn(value, 'cause')) {
      this.tag('c');
      this.value(value.cause);
    }
    if (typeof value.stack === 'string') {
      this.tag('s');
      this.text(value.stack);
    }
    this.tag('.');
  }

  #buffer(value) {
    this.tag('B');
    this.varint(value.byteLength);
    this.raw(new Uint8Array(value));
  }

  #boxed(value) {
    const inner = value.valueOf();
    switch (typeof inner) {
      case 'boolean': return this.tag(inner ? 'y' : 'x');
      case 'number': return this.#with('n', () => this.double(inner));
      case 'string': return this.#with('s', () => this.text(inner));
      case 'bigint': return this.#with('z', () => this.bigint(inner));
      default: throw dataCloneError(inner);
    }
  }

  // Views are not written with the buffer behind them, which may be much larger.
  #view(value) {
    this.tag('\\');
    if (this.#isMessage) this.varint(VIEW);
    const at = Buffer.isBuffer(value) ? views.indexOf(Buffer)
      : views.findIndex((View) => View !== Buffer && Object.prototype.toString.call(value) === `[object ${View.name}]`);
    this.varint(at);
    this.varint(value.byteLength);
    this.raw(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
}

class Reader {
  #bytes;
  #at = 0;
  #objects = [];
  #isMessage;

  constructor(bytes, isMessage) {
    this.#bytes = bytes;
    this.#isMessage = isMessage;
  }

  header() {
    if (this.#bytes[0] !== 0xff) throw new Error('Unable to deserialize cloned data due to invalid or unsupported version.');
    while (this.#bytes[this.#at] === 0xff) {
      this.#at++;
      this.varint();
    }
  }

  #byte() {
    if (this.#at >= this.#bytes.length) throw new Error('Unable to deserialize cloned data.');
    return this.#bytes[this.#at++];
  }

  #tag() {
    let byte;
    do byte = this.#byte(); while (byte === 0);
    return String.fromCharCode(byte);
  }

  #peek() {
    let at = this.#at;
    while (this.#bytes[at] === 0) at++;
    return String.fromCharCode(this.#bytes[at]);
  }

  varint() {
    let number = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte();
      number += (byte & 127) * factor;
      if (byte < 128) return number;
    }
  }

  #raw(length) {
    if (this.#at + length > this.#bytes.length) throw new Error('Unable to deserialize cloned data.');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #double() {
    return this.#raw(8).readDoubleLE(0);
  }

  #bigint() {
    const bits = this.varint();
    const bytes = this.#raw(Math.floor(bits / 2));
    let value = 0n;
    for (let at = bytes.length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at]);
    return bits % 2 === 1 ? -value : value;
  }

  #keep(object) {
    this.#objects.push(object);
    return object;
  }

  value() {
    const tag = this.#tag();
    switch (tag) {
      case '_': return undefined;
      case '0': return null;
      case 'T': return true;
      case 'F': return false;
      case 'I': {
        const number = this.varint();
        return number % 2 === 1 ? -(number + 1) / 2 : number / 2;
      }
      case 'U': return this.varint();
      case 'N': return this.#double();
      case 'Z': return this.#bigint();
      case '"': return this.#raw(this.varint()).toString('latin1');
      case 'c': return this.#raw(this.varint()).toString('utf16le');
      case 'S': return this.#raw(this.varint()).toString('utf8');
      case '^': return this.#objects[this.varint()];
      case 'o': return this.#properties(this.#keep({}), '{', 1);
      case 'A': return this.#dense();
      case 'a': {
        const array = this.#keep([]);
        array.length = this.varint();
        return this.#properties(array, '@', 2);
      }
      case 'D': return this.#keep(new Date(this.#double()));
      case 'y': return this.#keep(Object(true));
      case 'x': return this.#keep(Object(false));
      case 'n': return this.#keep(Object(this.#double()));
      case 's': return this.#keep(Object(this.value()));
      case 'z': return this.#keep(Object(this.#bigint()));
      case 'R': return this.#regExp();
      case ';': return this.#map();
      case "'": return this.#set();
      case 'B': return this.#keep(new Uint8Array(this.#raw(this.varint())).buffer);
      case 'r': return this.#error();
      case '\\': return this.#host();
      case 'V': return this.#viewOf();
      default: throw new Error('Unable to deserialize cloned data.');
    }
  }

  #properties(object, end, counts) {
    while (this.#peek() !== end) {
      const name = this.value();
      const value = this.value();
      Object.defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    }
    this.#tag();
    for (let at = 0; at < counts; at++) this.varint();
    return object;
  }

  #dense() {
    const length = this.varint();
    const array = this.#keep([]);
    for (let at = 0; at < length; at++) {
      if (this.#peek() === '-') this.#tag();
      else array[at] = this.value();
    }
    array.length = length;
    return this.#properties(array, '$', 2);
  }

  #map() {
    const map = this.#keep(new Map());
    while (this.#peek() !== ':') {
      const key = this.value();
      map.set(key, this.value());
    }
    this.#tag();
    this.varint();
    return map;
  }

  #set() {
    const set = this.#keep(new Set());
    while (this.#peek() !== ',') set.add(this.value());
    this.#tag();
    this.varint();
    return set;
  }

  #regExp() {
    // Its place among the objects is before what its text may be.
    const at = this.#objects.push(undefined) - 1;
    const source = this.value();
    const bits = this.varint();
    const flags = Object.keys(flagBits).filter((flag) => bits & flagBits[flag]);
    this.#objects[at] = new RegExp(source, flags.join(''));
    return this.#objects[at];
  }

  #error() {
    const at = this.#objects.push(undefined) - 1;
    let Class = Error;
    const found = {};
    for (let tag = this.#tag(); tag !== '.'; tag = this.#tag()) {
      if (tag === 'm') found.message = this.value();
      else if (tag === 's') found.stack = this.value();
      else if (tag === 'c') found.cause = this.value();
      else Class = errorClasses[tag] ?? Error;
    }
    const error = new Class();
    for (const name of Object.keys(found)) {
      Object.defineProperty(error, name, { __proto__: null, value: found[name], writable: true, enumerable: false, configurable: true });
    }
    if (found.stack === undefined) delete error.stack;
    this.#objects[at] = error;
    return error;
  }

  #host() {
    const at = this.#objects.push(undefined) - 1;
    if (this.#isMessage && this.varint() === OTHER) {
      this.#objects[at] = this.value();
      return this.#objects[at];
    }
    const View = views[this.varint()];
    // A copy, which begins where any view may.
    const { buffer } = new Uint8Array(this.#raw(this.varint()));
    const size = View.BYTES_PER_ELEMENT ?? 1;
    this.#objects[at] = View === Buffer ? Buffer.from(buffer) : new View(buffer, 0, buffer.byteLength / size);
    return this.#objects[at];
  }

  // A view as V8 itself writes it, after its buffer.
  #viewOf() {
    const letters = { __proto__: null, b: 0, B: 1, C: 2, w: 3, W: 4, d: 5, D: 6, f: 7, F: 8, '?': 9, q: 11, Q: 12 };
    const View = views[letters[this.#tag()]];
    const [offset, length] = [this.varint(), this.varint()];
    this.varint();
    const buffer = this.#objects.at(-1);
    return this.#keep(new View(buffer, offset, length / (View.BYTES_PER_ELEMENT ?? 1)));
  }
}

function write(value, isMessage) {
  const writer = new Writer(isMessage);
  writer.byte(0xff);
  writer.varint(VERSION);
  writer.value(value);
  return writer.result();
}

function read(bytes, isMessage) {
  const reader = new Reader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), isMessage);
  reader.header();
  return reader.value();
}

exports.serialize = function serialize(value) {
  return write(value, false);
};

exports.deserialize = function deserialize(buffer) {
  if (!ArrayBuffer.isView(buffer)) {
    const { nativeError } = require('internal/structured_clone');
    throw nativeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'buffer must be a TypedArray or a DataView');
  }
  return read(buffer, false);
};

exports.serializeMessage = (value) => write(value, true);
exports.deserializeMessage = (bytes) => read(bytes, true);
