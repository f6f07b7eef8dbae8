// TextEncoder and TextDecoder, the Web's conversion between text and bytes.
//
// Decoded are UTF-8, UTF-16 in both byte orders, and the encodings of one byte per character; those of East Asia by
// `binding`, which has their tables: legacyEncoding, legacyDecoder.
'use strict';

const {
  codes: { ERR_ENCODING_NOT_SUPPORTED, ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS },
} = require('internal/errors');
const { kValidateObjectAllowObjectsAndNull, validateObject, validateString } = require('internal/validators');
const { isAnyArrayBuffer, isUint8Array } = require('internal/util/types');
const codec = require('internal/buffer/codec');

const customInspect = Symbol.for('nodejs.util.inspect.custom');

const labels = {
  '__proto__': null,
  'utf-8': ['unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'utf-8', 'utf8', 'x-unicode20utf8'],
  'utf-16le': ['csunicode', 'iso-10646-ucs-2', 'ucs-2', 'unicode', 'unicodefeff', 'utf-16', 'utf-16le'],
  'utf-16be': ['unicodefffe', 'utf-16be'],
  'windows-1252': [
    'ansi_x3.4-1968', 'ascii', 'cp1252', 'cp819', 'csisolatin1', 'ibm819', 'iso-8859-1', 'iso-ir-100', 'iso8859-1',
    'iso88591', 'iso_8859-1', 'iso_8859-1:1987', 'l1', 'latin1', 'us-ascii', 'windows-1252', 'x-cp1252',
  ],
};
const nameOf = new Map(Object.entries(labels).flatMap(([name, all]) => all.map((label) => [label, name])));

// The name and the maker of the decoder that a label stands for, or undefined.
function findEncoding(label) {
  label = label.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '').toLowerCase();
  const name = nameOf.get(label);
  if (name !== undefined) return { name, decoder: decoders[name] };
  const table = require('internal/encoding_tables').singleByte.get(label);
  if (table !== undefined) return { name: table.name, decoder: (fatal) => tableDecoder(table.characters, fatal) };
  const legacy = binding.legacyEncoding?.(label);
  if (legacy === 'replacement') throw new ERR_ENCODING_NOT_SUPPORTED(legacy);
  return legacy === undefined ? undefined : { name: legacy, decoder: (fatal) => binding.legacyDecoder(legacy, fatal) };
}

function nativeError(code, message) {
  return Object.assign(new TypeError(message), { code });
}

class TextEncoder {
  #isEncoder = true;

  static #check(object) {
    if (!(#isEncoder in Object(object))) throw new ERR_INVALID_THIS('TextEncoder');
  }

  get encoding() {
    TextEncoder.#check(this);
    return 'utf-8';
  }

  encode(input = '') {
    TextEncoder.#check(this);
    return codec.encodeUtf8(`${input}`);
  }

  encodeInto(src, dest) {
    TextEncoder.#check(this);
    validateString(src, 'src');
    if (!isUint8Array(dest)) throw new ERR_INVALID_ARG_TYPE('dest', 'Uint8Array', dest);
    if (dest.buffer.detached) return { read: 0, written: 0 };
    const bytes = codec.encodings.utf8.encodeUpTo(src, dest.length);
    Uint8Array.prototype.set.call(dest, bytes);
    // Every character read gave bytes that decode to as many code units.
    return { read: codec.decodeUtf8(bytes, 0, bytes.length).length, written: bytes.length };
  }

  [customInspect](depth, options) {
    TextEncoder.#check(this);
    if (typeof depth === 'number' && depth < 0) return options.stylize(`[${this.constructor.name}]`, 'special');
    return require('internal/util/inspect').inspect({ encoding: this.encoding }, options);
  }
}

// A decoder takes the bytes of one piece and whether it is the last, and gives their text, or
// undefined where they are not well formed and it is to be strict.

function join(pending, bytes) {
  if (pending.length === 0) return bytes;
  const joined = new Uint8Array(pending.length + bytes.length);
  joined.set(pending);
  joined.set(bytes, pending.length);
  return joined;
}

const nothing = new Uint8Array(0);

function utf8Decoder(fatal) {
  let pending = nothing;
  return (bytes, last) => {
    bytes = join(pending, bytes);
    const end = bytes.length - (last ? 0 : codec.utf8Tail(bytes, 0, bytes.length));
    const text = codec.decodeUtf8(bytes, 0, end);
    // Only a text with U+FFFD in it needs the slower look at whether that is what was encoded.
    const invalid = fatal && text.includes('\ufffd') && codec.firstInvalidUtf8(bytes, 0, end) >= 0;
    pending = invalid ? nothing : bytes.slice(end);
    return invalid ? undefined : text;
  };
}

function utf16Decoder(fatal, bigEndian) {
  let pending = nothing;
  return (bytes, last) => {
    bytes = join(pending, bytes);
    let end = bytes.length & ~1;
    let units = bytes.slice(0, end);
    if (bigEndian) {
      for (let i = 0; i < end; i += 2) [units[i], units[i + 1]] = [units[i + 1], units[i]];
    }
    const endsInLead = end > 0 && (units[end - 1] & 0xfc) === 0xd8;
    if (endsInLead && !last) end -= 2;
    let text = codec.decodeUtf16(units, 0, end);
    // A byte too many is one more character that is not well formed, unless it already belongs to
    // the one before it.
    if (last && bytes.length % 2 === 1) text = endsInLead ? text : `${text}\ud800`;
    pending = last ? nothing : bytes.slice(end);
    if (text.isWellFormed()) return text;
    if (fatal) {
      pending = nothing;
      return undefined;
    }
    return text.toWellFormed();
  };
}

// `characters` are those of the bytes from 0x80 on.
function tableDecoder(characters, fatal) {
  return (bytes) => {
    const text = codec.decodeLatin1(bytes, 0, bytes.length)
      .replace(/[\x80-\xff]/g, (character) => characters[character.charCodeAt(0) - 0x80]);
    return fatal && text.includes('\ufffd') ? undefined : text;
  };
}

// From 0xa0 on it is Latin-1.
const WINDOWS_1252 = '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178' +
  String.fromCharCode(...Array.from({ length: 96 }, (_, i) => 0xa0 + i));

const decoders = {
  'utf-8': (fatal) => utf8Decoder(fatal),
  'utf-16le': (fatal) => utf16Decoder(fatal, false),
  'utf-16be': (fatal) => utf16Decoder(fatal, true),
  'windows-1252': (fatal) => tableDecoder(WINDOWS_1252, fatal),
};

class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBOM;
  #decoder;
  #streamed = false;
  #started = false;

  constructor(encoding = 'utf-8', options = {}) {
    encoding = `${encoding}`;
    validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
    const found = findEncoding(encoding);
    if (found === undefined) throw new ERR_ENCODING_NOT_SUPPORTED(encoding);
    this.#encoding = found.name;
    this.#fatal = Boolean(options?.fatal);
    this.#ignoreBOM = Boolean(options?.ignoreBOM);
    this.#decoder = found.decoder(this.#fatal);
  }

  static #check(object) {
    if (!(#encoding in Object(object))) throw new ERR_INVALID_THIS('TextDecoder');
  }

  decode(input = nothing, options = {}) {
    TextDecoder.#check(this);
    const last = !options?.stream;
    if (!last) this.#streamed = true;
    const bytes = this.#bytesOf(input, options);
    // Until it is used for a stream, Node 20 decodes windows-1252 as if it were Latin-1, and takes
    // a first byte of 0xff for the mark that it is to ignore.
    if (!this.#streamed && this.#encoding === 'windows-1252') {
      return codec.decodeLatin1(bytes, this.#ignoreBOM && bytes[0] === 0xff ? 1 : 0, bytes.length);
    }

    let text = this.#decoder(bytes, last);
    if (text === undefined) {
      this.#started = false;
      throw nativeError('ERR_ENCODING_INVALID_ENCODED_DATA', `The encoded data was not valid for encoding ${this.#encoding}`);
    }
    if (!this.#started && text !== '') {
      this.#started = true;
      if (!this.#ignoreBOM && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    if (last) this.#started = false;
    return text;
  }

  get encoding() {
    TextDecoder.#check(this);
    return this.#encoding;
  }

  get fatal() {
    TextDecoder.#check(this);
    return this.#fatal;
  }

  get ignoreBOM() {
    TextDecoder.#check(this);
    return this.#ignoreBOM;
  }

  // Node has three paths for decoding, and each refuses a wrong argument in its own words.
  #bytesOf(input, options) {
    let name = 'input';
    let expected = 'SharedArrayBuffer, ArrayBuffer or ArrayBufferView';
    if (!this.#streamed && this.#encoding === 'utf-8') name = 'list';
    else if (!this.#streamed && this.#encoding === 'windows-1252') {
      expected = 'ArrayBuffer, SharedArrayBuffer, or ArrayBufferView';
    } else validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
    // What was transferred has no bytes any more.
    if (ArrayBuffer.isView(input)) return input.buffer.detached ? nothing : new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    if (isAnyArrayBuffer(input)) return input.detached ? nothing : new Uint8Array(input);
    throw nativeError('ERR_INVALID_ARG_TYPE', `The "${name}" argument must be an instance of ${expected}.`);
  }

  [customInspect](depth, options) {
    TextDecoder.#check(this);
    if (typeof depth === 'number' && depth < 0) return options.stylize(`[${this.constructor.name}]`, 'special');
    const shown = { encoding: this.#encoding, fatal: this.#fatal, ignoreBOM: this.#ignoreBOM };
    if (options.showHidden) {
      shown[Symbol('flags')] = (this.#fatal ? 2 : 0) | (this.#ignoreBOM ? 4 : 0);
      shown[Symbol('handle')] = undefined;
    }
    return `${this.constructor.name} ${require('internal/util/inspect').inspect(shown)}`;
  }
}

for (const [Class, names] of [
  [TextEncoder, ['encoding', 'encode', 'encodeInto']],
  [TextDecoder, ['decode', 'encoding', 'fatal', 'ignoreBOM']],
]) {
  for (const name of names) Object.defineProperty(Class.prototype, name, { enumerable: true });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
}

module.exports = { TextDecoder, TextEncoder };
