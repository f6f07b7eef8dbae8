// The native streams in the shape that Node gives them, which packages rely on: `stream._handle`.
// Uses binding.zlibNew, brotliNew, zlibWrite, zlibReset, zlibParams, zlibClose, request, getFrame, swapFrame.
//
// A chunk is compressed when it is written, on the program's thread: it is a computation whose result
// depends on nothing outside. That it is done comes through the gate, like the end of any operation.
'use strict';

binding.install('zlib', binding);

const hooked = require('internal/hooked');
const { genericNodeError } = require('internal/errors');
const { codes, brotliErrorName } = require('internal/zlib/constants');

const nothing = new Uint8Array();
const kCodec = Symbol('kCodec');
const kState = Symbol('kState');
const kCallback = Symbol('kCallback');

const asBytes = (view) => {
  if (view === undefined || view === null) return nothing;
  return view instanceof Uint8Array ? view : new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
};

const hidden = (value) => ({ value, writable: true, configurable: true, enumerable: false });

class Handle {
  // What comes out of it belongs to who made it, whoever put something in.
  #frame = binding.getFrame();
  // What the step under way came to.
  #trouble = undefined;
  #stepped = () => {
    binding.swapFrame(this.#frame);
    if (this.#tell(this.#trouble)) Reflect.apply(this[kCallback], this, []);
  };

  constructor() {
    Object.defineProperties(this, { [kCodec]: hidden(undefined), [kState]: hidden(undefined), [kCallback]: hidden(undefined) });
    hooked.made('ZLIB', this);
    hooked.endsAsGarbage(this);
  }

  _begin(codec, state, callback) {
    this[kCodec] = codec;
    this[kState] = state;
    this[kCallback] = callback;
  }

  #tell(trouble) {
    if (trouble === undefined) return true;
    this.onerror(trouble[0], trouble[1], this._nameOf(trouble[1], trouble[0]));
    return false;
  }

  writeSync(flush, input, inOffset, inLength, output, outOffset, outLength) {
    this.#tell(binding.zlibWrite(
      this[kCodec], this[kState], flush, asBytes(input), inOffset, inLength, output, outOffset, outLength));
  }

  /// Only one step is under way at a time.
  write(flush, input, inOffset, inLength, output, outOffset, outLength) {
    this.#trouble = binding.zlibWrite(
      this[kCodec], this[kState], flush, asBytes(input), inOffset, inLength, output, outOffset, outLength);
    hooked.within(this, 'ZLIB', () => binding.request('compute', [], this.#stepped));
  }

  reset() {
    this.#tell(binding.zlibReset(this[kCodec]));
  }

  params(level, strategy) {
    this.#tell(binding.zlibParams(this[kCodec], level, strategy));
  }

  close() {
    binding.zlibClose(this[kCodec]);
  }
}

class Zlib extends Handle {
  #mode;

  constructor(mode) {
    super();
    this.#mode = mode;
  }

  init(windowBits, level, memLevel, strategy, state, callback, dictionary) {
    const codec = binding.zlibNew(this.#mode, windowBits, level, memLevel, strategy, asBytes(dictionary));
    this._begin(codec, state, callback);
  }

  _nameOf(number) {
    return codes[number] ?? 'Z_ERRNO';
  }
}

class Brotli extends Handle {
  init(parameters, state, callback) {
    const codec = binding.brotliNew(this instanceof BrotliEncoder, [...parameters]);
    if (codec === undefined) throw genericNodeError('Initialization failed', { code: 'ERR_ZLIB_INITIALIZATION_FAILED' });
    this._begin(codec, state, callback);
  }

  params() {}
}

class BrotliEncoder extends Brotli {
  _nameOf() {
    return 'ERR_BROTLI_COMPRESSION_FAILED';
  }
}

class BrotliDecoder extends Brotli {
  // An end that comes too early has the name that zlib has for it; its number also is one of Brotli's.
  _nameOf(number, message) {
    return message === 'unexpected end of file' ? 'Z_BUF_ERROR' : brotliErrorName(number);
  }
}

module.exports = { Zlib, BrotliEncoder, BrotliDecoder };
