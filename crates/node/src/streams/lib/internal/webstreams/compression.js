// CompressionStream and DecompressionStream.
'use strict';

const { attach, finish, stateOf, kStateClass } = require('internal/webstreams/common');
const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');

// Formats, and the streams of `zlib` that write and read them.
const formats = {
  __proto__: null,
  'deflate': ['createDeflate', 'createInflate'],
  'deflate-raw': ['createDeflateRaw', 'createInflateRaw'],
  'gzip': ['createGzip', 'createGunzip'],
};

class CodecState {
  constructor(format, direction) {
    const makers = typeof format === 'string' ? formats[format] : undefined;
    if (makers === undefined) throw new ERR_INVALID_ARG_VALUE('format', format);
    const { newReadableWritablePairFromDuplex } = require('internal/webstreams/adapters');
    this.pair = newReadableWritablePairFromDuplex(require('zlib')[makers[direction]]());
  }
}

class CompressionStream {
  static [kStateClass] = CodecState;

  constructor(format) {
    attach(this, new CodecState(format, 0));
  }

  get readable() {
    return stateOf(this, CompressionStream).pair.readable;
  }

  get writable() {
    return stateOf(this, CompressionStream).pair.writable;
  }
}

class DecompressionStream {
  static [kStateClass] = CodecState;

  constructor(format) {
    attach(this, new CodecState(format, 1));
  }

  get readable() {
    return stateOf(this, DecompressionStream).pair.readable;
  }

  get writable() {
    return stateOf(this, DecompressionStream).pair.writable;
  }
}

for (const Class of [CompressionStream, DecompressionStream]) {
  finish(Class, (self) => {
    const { readable, writable } = stateOf(self, Class).pair;
    return { readable, writable };
  });
}

module.exports = { CompressionStream, DecompressionStream };
