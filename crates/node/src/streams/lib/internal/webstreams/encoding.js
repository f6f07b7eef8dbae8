// TextEncoderStream and TextDecoderStream.
'use strict';

const { attach, finish, stateOf, kStateClass } = require('internal/webstreams/common');
const { TransformStream } = require('internal/webstreams/transform');
const { TextDecoder, TextEncoder } = require('internal/encoding');

class EncoderState {
  encoder = new TextEncoder();
  // The first half of a character that chunks have cut in two.
  half = '';

  constructor() {
    this.transform = new TransformStream({
      transform: (chunk, controller) => {
        let text = this.half + String(chunk);
        this.half = '';
        if (/[\ud800-\udbff]$/.test(text)) {
          this.half = text.at(-1);
          text = text.slice(0, -1);
        }
        if (text !== '') controller.enqueue(this.encoder.encode(text));
      },
      flush: (controller) => {
        if (this.half !== '') controller.enqueue(new Uint8Array([0xef, 0xbf, 0xbd]));
      },
    });
  }
}

class TextEncoderStream {
  static [kStateClass] = EncoderState;

  constructor() {
    attach(this, new EncoderState());
  }

  get encoding() {
    return stateOf(this, TextEncoderStream).encoder.encoding;
  }

  get readable() {
    return stateOf(this, TextEncoderStream).transform.readable;
  }

  get writable() {
    return stateOf(this, TextEncoderStream).transform.writable;
  }
}

class DecoderState {
  constructor(encoding, options) {
    const decoder = new TextDecoder(encoding, options);
    // Characters may be cut in two by the end of a chunk: what is not whole yet gives no text.
    const pass = (text, controller) => text !== '' && controller.enqueue(text);
    this.decoder = decoder;
    this.transform = new TransformStream({
      transform(chunk, controller) {
        pass(decoder.decode(chunk, { stream: true }), controller);
      },
      flush(controller) {
        pass(decoder.decode(), controller);
        controller.terminate();
      },
    });
  }
}

class TextDecoderStream {
  static [kStateClass] = DecoderState;

  constructor(encoding = 'utf-8', options = {}) {
    attach(this, new DecoderState(encoding, options));
  }

  get encoding() {
    return stateOf(this, TextDecoderStream).decoder.encoding;
  }

  get fatal() {
    return stateOf(this, TextDecoderStream).decoder.fatal;
  }

  get ignoreBOM() {
    return stateOf(this, TextDecoderStream).decoder.ignoreBOM;
  }

  get readable() {
    return stateOf(this, TextDecoderStream).transform.readable;
  }

  get writable() {
    return stateOf(this, TextDecoderStream).transform.writable;
  }
}

finish(TextEncoderStream, (self) => {
  const { encoder, transform } = stateOf(self, TextEncoderStream);
  return { encoding: encoder.encoding, readable: transform.readable, writable: transform.writable };
});
finish(TextDecoderStream, (self) => {
  const { decoder, transform } = stateOf(self, TextDecoderStream);
  const { encoding, fatal, ignoreBOM } = decoder;
  return { encoding, fatal, ignoreBOM, readable: transform.readable, writable: transform.writable };
});

module.exports = { TextEncoderStream, TextDecoderStream };
