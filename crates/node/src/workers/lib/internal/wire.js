// Values as bytes, in the format that V8 writes, version 15: how messages travel to another machine, and
// what `v8.serialize` gives. What is read may come from anywhere.
//
// A value is a tag and what belongs to it. Numbers without a sign are written seven bits at a time; objects
// are counted as they come, and one that comes again is written as its number.
//
// Takes from `binding`, after `install('bytes')`: encodeLatin1, decodeLatin1, decodeUtf8.
'use strict';

const { apply } = require('internal/kept');
const { followsLength, isOrdinary, isOutside } = require('internal/structured_clone');
const { kindOf } = require('internal/util/kind');
const { types } = require('util');

binding.install('bytes', binding);

const VERSION = 15;

// The tags of the format by their characters.
const tag = (character) => character.charCodeAt(0);

const viewTags = {
  __proto__: null,
  Int8Array: 'b', Uint8Array: 'B', Uint8ClampedArray: 'C', Int16Array: 'w', Uint16Array: 'W', Int32Array: 'd',
  Uint32Array: 'D', Float32Array: 'f', Float64Array: 'F', DataView: '?', BigInt64Array: 'q', BigUint64Array: 'Q',
};
// What is read is the program's own, whose methods may be anything; a collection of ours has those of the language.
const [MapOfProgram, SetOfProgram] = [Map, Set];
const { set: setInMap } = new Map();
const { add: addToSet } = new Set();
const viewsByTag = new Map(Object.entries(viewTags).map(([name, character]) => [tag(character), globalThis[name]]));

// What is said of a view: that it follows the length of its buffer, and that the buffer's may change.
const FOLLOWS = 1;
const RESIZABLE = 2;

const errorTags = {
  __proto__: null, EvalError: 'E', RangeError: 'R', ReferenceError: 'F', SyntaxError: 'S', TypeError: 'T', URIError: 'U',
};
const errorsByTag = new Map(Object.entries(errorTags).map(([name, character]) => [tag(character), globalThis[name]]));

const regExpFlags = ['g', 'i', 'm', 'y', 'u', 's', '', 'd', 'v'];

// A number and its bytes, in the order of every computer that this runs on.
const double = new Float64Array(1);
const doubleBytes = new Uint8Array(double.buffer);

/// Writes values. `hostObject(writer, object)` writes an object of a class of its own and gives true,
/// or leaves it; `sharedBuffer(writer, buffer)` writes what stands for a shared buffer; `refuse(value)` throws
/// for what cannot be written, and is left out by who has copied the value before.
class Writer {
  #bytes = new Uint8Array(64);
  #length = 0;
  // The numbers of objects that were written, in the order of the writing.
  #known = new Map();
  // The numbers of buffers that travel beside the bytes.
  #transferred = new Map();
  /// Whether views of buffers are written by `hostObject`.
  viewsAreHostObjects = false;

  constructor({ hostObject = undefined, sharedBuffer = undefined, refuse = undefined } = {}) {
    this.hostObject = hostObject;
    this.sharedBuffer = sharedBuffer;
    this.refuse = refuse;
  }

  header() {
    this.#byte(0xff);
    this.#byte(VERSION);
  }

  /// What was written; the next value begins anew.
  finish() {
    const written = this.#bytes.subarray(0, this.#length);
    this.#bytes = new Uint8Array(64);
    this.#length = 0;
    return written;
  }

  transfer(number, buffer) {
    this.#transferred.set(buffer, number);
  }

  /// Marks what follows as written by `hostObject`.
  hostTag() {
    this.#tag('\\');
  }

  #room(count) {
    const wanted = this.#length + count;
    if (wanted <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(wanted, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  #byte(byte) {
    if (this.#length === this.#bytes.length) this.#room(1);
    this.#bytes[this.#length++] = byte;
  }

  #tag(character) {
    this.#byte(tag(character));
  }

  uint32(number) {
    while (number >= 0x80) {
      this.#byte((number % 0x80) | 0x80);
      number = Math.floor(number / 0x80);
    }
    this.#byte(number);
  }

  uint64(high, low) {
    let number = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
    while (number >= 0x80n) {
      this.#byte(Number(number & 0x7fn) | 0x80);
      number >>= 7n;
    }
    this.#byte(Number(number));
  }

  double(number) {
    double[0] = number;
    this.raw(doubleBytes);
  }

  raw(bytes) {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #text(text) {
    const { length } = text;
    let wide = false;
    for (let at = 0; at < length; ++at) {
      if (text.charCodeAt(at) > 0xff) {
        wide = true;
        break;
      }
    }
    if (!wide) {
      this.#tag('"');
      this.uint32(length);
      this.raw(binding.encodeLatin1(text));
      return;
    }
    // The units of a text begin at an even place.
    let digits = 1;
    for (let rest = 2 * length; rest >= 0x80; rest = Math.floor(rest / 0x80)) digits++;
    if ((this.#length + 1 + digits) % 2 === 1) this.#byte(0);
    this.#tag('c');
    this.uint32(2 * length);
    this.#room(2 * length);
    for (let at = 0; at < length; ++at) {
      const unit = text.charCodeAt(at);
      this.#bytes[this.#length++] = unit & 0xff;
      this.#bytes[this.#length++] = unit >> 8;
    }
  }

  value(value) {
    switch (typeof value) {
      case 'undefined': return this.#tag('_');
      case 'boolean': return this.#tag(value ? 'T' : 'F');
      case 'number': return this.#number(value);
      case 'bigint':
        this.#tag('Z');
        return this.#digits(value);
      case 'string': return this.#text(value);
      case 'function': case 'symbol': return this.refuse(value);
    }
    if (value === null) return this.#tag('0');
    const known = this.#known.get(value);
    if (known !== undefined) {
      this.#tag('^');
      return this.uint32(known);
    }
    // The buffer of a view comes before the view.
    if (ArrayBuffer.isView(value) && !this.viewsAreHostObjects) this.value(value.buffer);
    this.#known.set(value, this.#known.size);
    return this.#object(value);
  }

  #number(number) {
    // A small whole number, as the engine of Node has it.
    if ((number | 0) === number && !Object.is(number, -0)) {
      this.#tag('I');
      return this.uint32(((number << 1) ^ (number >> 31)) >>> 0);
    }
    this.#tag('N');
    return this.double(number);
  }

  #digits(number) {
    const isNegative = number < 0n;
    if (isNegative) number = -number;
    const bytes = [];
    while (number > 0n) {
      bytes.push(Number(number & 0xffn));
      number >>= 8n;
    }
    while (bytes.length % 8 !== 0) bytes.push(0);
    this.uint32((bytes.length << 1) | (isNegative ? 1 : 0));
    this.raw(Uint8Array.from(bytes));
  }

  #object(value) {
    if (this.hostObject?.(this, value)) return;
    if (this.refuse !== undefined && types.isProxy(value)) return this.refuse(value);
    const kind = kindOf(value);
    switch (kind) {
      case 'Array': return this.#array(value);
      case 'Date':
        this.#tag('D');
        return this.double(value.getTime());
      case 'Map':
        this.#tag(';');
        return this.#items([...value].flat(1), ':');
      case 'Set':
        this.#tag('\'');
        return this.#items([...value], ',');
      case 'RegExp':
        this.#tag('R');
        this.#text(value.source);
        return this.uint32(regExpFlags.reduce((bits, flag, at) => bits | (flag !== '' && value.flags.includes(flag) ? 1 << at : 0), 0));
      case 'Boolean': return this.#tag(value.valueOf() ? 'y' : 'x');
      case 'Number':
        this.#tag('n');
        return this.double(value.valueOf());
      case 'BigInt':
        this.#tag('z');
        return this.#digits(value.valueOf());
      case 'String':
        this.#tag('s');
        return this.#text(value.valueOf());
      case 'Error': return this.#error(value);
      case 'ArrayBuffer':
        if (this.#transferred.has(value)) {
          this.#tag('t');
          return this.uint32(this.#transferred.get(value));
        }
        this.#tag(value.resizable ? '~' : 'B');
        this.uint32(value.byteLength);
        if (value.resizable) this.uint32(value.maxByteLength);
        return this.raw(new Uint8Array(value));
      case 'SharedArrayBuffer':
        this.#tag('u');
        return this.sharedBuffer(this, value);
    }
    if (viewTags[kind] !== undefined) return this.#view(value, viewTags[kind]);
    if (this.refuse !== undefined && !isOrdinary(value, kind)) return this.refuse(value);
    this.#tag('o');
    this.#properties(value, Object.keys(value), '{');
  }

  /// What is in a collection; the program may change it meanwhile.
  #items(items, end) {
    for (const item of items) this.value(item);
    this.#tag(end);
    this.uint32(items.length);
  }

  #view(value, character) {
    if (isOutside(value)) return this.refuse(value);
    this.#tag('V');
    this.#tag(character);
    const isFollowing = followsLength(value, viewsByTag.get(tag(character)));
    this.uint32(value.byteOffset);
    // One that follows the length of its buffer has none of its own.
    this.uint32(isFollowing ? 0 : value.byteLength);
    this.uint32((isFollowing ? FOLLOWS : 0) | (value.buffer.resizable ? RESIZABLE : 0));
  }

  #properties(value, names, end) {
    for (const name of names) {
      const index = Number(name);
      if (String(index >>> 0) !== name || index === 0xffffffff) this.#text(name);
      else this.#number(index);
      this.value(value[name]);
    }
    this.#tag(end);
    this.uint32(names.length);
  }

  #array(value) {
    const { length } = value;
    const names = Object.keys(value);
    // One without holes is written element by element.
    if (length > 0 && names[length - 1] !== String(length - 1)) {
      this.#tag('a');
      this.uint32(length);
      this.#properties(value, names, '@');
      return this.uint32(length);
    }
    this.#tag('A');
    this.uint32(length);
    for (let at = 0; at < length; ++at) this.value(value[at]);
    this.#properties(value, names.slice(length), '$');
    return this.uint32(length);
  }

  #error(value) {
    this.#tag('r');
    const own = (key) => Object.getOwnPropertyDescriptor(value, key);
    const character = errorTags[value.name];
    if (character !== undefined) this.#tag(character);
    const message = own('message');
    if (message !== undefined) {
      this.#tag('m');
      this.#text(String(message.value));
    }
    const cause = own('cause');
    if (cause !== undefined) {
      this.#tag('c');
      this.value(cause.value);
    }
    const { stack } = value;
    if (typeof stack === 'string') {
      this.#tag('s');
      this.#text(stack);
    }
    this.#tag('.');
  }
}

function malformed(reason = '') {
  return new Error(`Unable to deserialize cloned data${reason}.`);
}

/// Reads one value. `hostObject(reader)` reads an object of a class of its own; `sharedBuffer(reader)`
/// gives a shared buffer.
class Reader {
  #bytes;
  #at = 0;
  #known = [];
  // Buffers that came beside the bytes, by their numbers.
  #transferred = new Map();
  #version = VERSION;

  constructor(bytes, { hostObject = undefined, sharedBuffer = undefined } = {}) {
    this.#bytes = bytes;
    this.hostObject = hostObject;
    this.sharedBuffer = sharedBuffer;
  }

  header() {
    if (this.#bytes[0] !== 0xff || !(this.#bytes[1] <= VERSION)) throw malformed(' due to invalid or unsupported version');
    this.#at = 2;
    this.#version = this.#bytes[1];
  }

  get version() {
    return this.#version;
  }

  transfer(number, buffer) {
    this.#transferred.set(number, buffer);
  }

  #byte() {
    if (this.#at >= this.#bytes.length) throw malformed();
    return this.#bytes[this.#at++];
  }

  uint32() {
    let number = 0;
    let factor = 1;
    for (;;) {
      const byte = this.#byte();
      number += (byte & 0x7f) * factor;
      if (byte < 0x80) return number;
      factor *= 0x80;
    }
  }

  uint64() {
    let number = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      number |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return [Number((number >> 32n) & 0xffffffffn), Number(number & 0xffffffffn)];
  }

  double() {
    doubleBytes.set(this.raw(8));
    return double[0];
  }

  raw(length) {
    if (length > this.#bytes.length - this.#at) throw malformed();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #tag() {
    let found;
    do found = this.#byte(); while (found === 0);
    return found;
  }

  #text(found = this.#tag()) {
    const length = this.uint32();
    const bytes = this.raw(length);
    switch (found) {
      case tag('"'): return binding.decodeLatin1(bytes, 0, length);
      case tag('S'): return binding.decodeUtf8(bytes, 0, length);
      case tag('c'): {
        let text = '';
        // As many at a time as a call takes.
        for (let at = 0; at < length; at += 8192) {
          const units = [];
          for (let unit = at; unit < Math.min(length, at + 8192); unit += 2) units.push(bytes[unit] | (bytes[unit + 1] << 8));
          text += String.fromCharCode(...units);
        }
        return text;
      }
    }
    throw malformed();
  }

  /// Notes an object before what is in it is read.
  #know(object) {
    this.#known.push(object);
    return object;
  }

  value() {
    const value = this.#plain(this.#tag());
    // A buffer may be followed by the view that it was written for.
    if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) {
      if (this.#bytes[this.#at] === tag('V')) {
        this.#at++;
        return this.#view(value);
      }
    }
    return value;
  }

  #plain(found) {
    switch (found) {
      case tag('_'): return undefined;
      case tag('0'): return null;
      case tag('T'): return true;
      case tag('F'): return false;
      case tag('I'): {
        const number = this.uint32();
        return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
      }
      case tag('U'): return this.uint32();
      case tag('N'): return this.double();
      case tag('Z'): return this.#digits();
      case tag('"'): case tag('c'): case tag('S'): return this.#text(found);
      case tag('^'): {
        const number = this.uint32();
        if (number >= this.#known.length) throw malformed();
        return this.#known[number];
      }
      case tag('o'): {
        const object = this.#know({});
        this.#properties(object, '{');
        return object;
      }
      case tag('A'): {
        const length = this.uint32();
        const array = this.#know([]);
        for (let at = 0; at < length; ++at) {
          // What was not there when it was read is a hole.
          if (this.#bytes[this.#at] === tag('-')) {
            this.#at++;
            array.length = at + 1;
          } else {
            array.push(this.value());
          }
        }
        this.#properties(array, '$');
        this.uint32();
        return array;
      }
      case tag('a'): {
        const array = this.#know([]);
        array.length = this.uint32();
        this.#properties(array, '@');
        this.uint32();
        return array;
      }
      case tag('D'): return this.#know(new Date(this.double()));
      case tag('y'): return this.#know(Object(true));
      case tag('x'): return this.#know(Object(false));
      case tag('n'): return this.#know(Object(this.double()));
      case tag('z'): return this.#know(Object(this.#digits()));
      case tag('s'): return this.#know(Object(this.#text()));
      case tag('R'): {
        const source = this.#text();
        const bits = this.uint32();
        return this.#know(require('internal/patterns').made(source, regExpFlags.filter((flag, at) => bits & (1 << at)).join('')));
      }
      case tag(';'): {
        const map = this.#know(new MapOfProgram());
        while (this.#bytes[this.#at] !== tag(':')) apply(setInMap, map, [this.value(), this.value()]);
        this.#at++;
        this.uint32();
        return map;
      }
      case tag('\''): {
        const set = this.#know(new SetOfProgram());
        while (this.#bytes[this.#at] !== tag(',')) apply(addToSet, set, [this.value()]);
        this.#at++;
        this.uint32();
        return set;
      }
      case tag('B'): {
        const bytes = this.raw(this.uint32());
        // A copy of its own, whatever kind of array this is.
        const { buffer } = new Uint8Array(bytes);
        return this.#know(buffer);
      }
      case tag('~'): {
        const byteLength = this.uint32();
        const maxByteLength = this.uint32();
        if (maxByteLength < byteLength) throw malformed();
        const buffer = new ArrayBuffer(byteLength, { maxByteLength });
        new Uint8Array(buffer).set(this.raw(byteLength));
        return this.#know(buffer);
      }
      case tag('t'): {
        const buffer = this.#transferred.get(this.uint32());
        if (buffer === undefined) throw malformed();
        return this.#know(buffer);
      }
      case tag('u'): return this.#know(this.sharedBuffer(this));
      case tag('r'): return this.#error();
      case tag('\\'): {
        // It has its number before what is in it.
        const at = this.#known.length;
        this.#known.push(undefined);
        return this.#known[at] = this.hostObject(this);
      }
    }
    throw malformed();
  }

  #digits() {
    const bits = this.uint32();
    const bytes = this.raw(bits >> 1);
    let number = 0n;
    for (let at = bytes.length - 1; at >= 0; --at) number = (number << 8n) | BigInt(bytes[at]);
    return bits & 1 ? -number : number;
  }

  #view(buffer) {
    const Class = viewsByTag.get(this.#byte());
    const offset = this.uint32();
    const length = this.uint32();
    const flags = this.#version >= 14 ? this.uint32() : 0;
    const size = Class?.BYTES_PER_ELEMENT ?? 1;
    if (Class === undefined || offset + length > buffer.byteLength || offset % size !== 0 || length % size !== 0) throw malformed();
    if (flags & FOLLOWS && !buffer.resizable) throw malformed();
    return this.#know(flags & FOLLOWS ? new Class(buffer, offset) : new Class(buffer, offset, length / size));
  }

  #properties(object, end) {
    while (this.#bytes[this.#at] !== tag(end)) {
      const name = this.value();
      if (typeof name !== 'string' && typeof name !== 'number') throw malformed();
      const value = this.value();
      if (name !== '__proto__') {
        object[name] = value;
      } else {
        Object.defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
      }
    }
    this.#at++;
    this.uint32();
  }

  #error() {
    const hidden = { __proto__: null, writable: true, enumerable: false, configurable: true, value: undefined };
    let Class = Error;
    const place = this.#known.length;
    this.#known.push(undefined);
    let error;
    const made = () => this.#known[place] = error ??= new Class();
    for (;;) {
      const found = this.#tag();
      switch (found) {
        case tag('m'):
          Object.defineProperty(made(), 'message', { ...hidden, value: this.#text() });
          break;
        case tag('c'):
          Object.defineProperty(made(), 'cause', { ...hidden, value: (made(), this.value()) });
          break;
        case tag('s'):
          Object.defineProperty(made(), 'stack', { ...hidden, value: this.#text() });
          break;
        case tag('.'): return made();
        default:
          if (!errorsByTag.has(found)) throw malformed();
          Class = errorsByTag.get(found);
      }
    }
  }
}

module.exports = { Writer, Reader };
