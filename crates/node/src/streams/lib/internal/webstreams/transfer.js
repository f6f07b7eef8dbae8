// Streams that change hands: what the new one is read from, or writes to, is the old one, through a port.
//
// Messages are { type, value }: `pull` asks for a chunk, `chunk` brings one, `close` and `error` end the stream. A port
// keeps the program alive while its side waits for an answer that somebody asked for.
'use strict';

const { DOMException } = require('internal/domexception');
const { packed, unpacked } = require('internal/abort_transfer');
const { kWire } = require('internal/transfer');
const { deferred, handled, kMake, kState, nop } = require('internal/webstreams/common');
const { ReadableStream, makeController: makeReadable } = require('internal/webstreams/readable');
const { WritableStream, makeController: makeWritable } = require('internal/webstreams/writable');
const { pipeTo } = require('internal/webstreams/pipe_to');

function entangled() {
  const { MessageChannel } = require('internal/messaging/port');
  return new MessageChannel();
}

/// Ends a stream at both sides. Of an error that cannot be copied only that is told.
function sendError(port, error) {
  try {
    port.postMessage({ type: 'error', value: packed(error) });
  } catch (failure) {
    port.postMessage({ type: 'error', value: packed(failure) });
  }
  port.close();
}

/// A stream of the chunks that come through a port. One that nobody but our own pipe reads holds nothing.
function readableFrom(port, holds) {
  let self;
  const stream = new ReadableStream(kMake, (state) => {
    self = state;
    makeReadable(state, {
      async pull() {
        if (holds) port.ref();
        port.postMessage({ type: 'pull' });
      },
      async cancel(reason) {
        sendError(port, reason);
      },
      highWaterMark: 0,
      size: () => 1,
    }, nop);
  });
  port.on('message', ({ type, value }) => {
    if (holds) port.unref();
    switch (type) {
      case 'chunk':
        self.controller.enqueue(value);
        break;
      case 'close':
        self.controller.close();
        port.close();
        break;
      case 'error':
        self.controller.fail(unpacked(value));
        port.close();
        break;
    }
  });
  port.on('messageerror', (error) => {
    self.controller.fail(error);
    sendError(port, error);
  });
  port.unref();
  return stream;
}

/// A stream whose chunks go through a port, each when the other side has asked for one.
function writableTo(port) {
  let self;
  let asked = deferred();
  const stream = new WritableStream(kMake, (state) => {
    self = state;
    makeWritable(state, {
      async write(chunk) {
        port.ref();
        await asked.promise;
        asked = deferred();
        try {
          port.postMessage({ type: 'chunk', value: chunk });
        } catch (error) {
          sendError(port, error);
          throw error;
        }
      },
      async close() {
        port.ref();
        port.postMessage({ type: 'close' });
      },
      async abort(reason) {
        sendError(port, reason);
      },
      highWaterMark: 1,
      size: () => 1,
    }, nop);
  });
  port.on('message', ({ type, value }) => {
    port.unref();
    if (type === 'error') self.controller.failIfWritable(unpacked(value));
    asked.resolve();
  });
  port.unref();
  return stream;
}

function refuseLocked(state, name) {
  if (state.locked) throw new DOMException(`Cannot transfer a locked ${name}`, 'DataCloneError');
}

/// What a stream is at the other side, and what it is made of there.
function given(name, stream, data) {
  Object.defineProperty(stream, kWire, { __proto__: null, value: () => [name, data], configurable: true });
  return { value: stream, commit: nop };
}

function pipe(from, to) {
  handled(pipeTo(from[kState], to[kState], { preventAbort: false, preventCancel: false, preventClose: false, signal: undefined }));
}

function transferReadable(stream) {
  refuseLocked(stream[kState], 'ReadableStream');
  const { port1, port2 } = entangled();
  pipe(stream, writableTo(port1));
  return given('ReadableStream', readableFrom(port2, true), port2);
}

function transferWritable(stream) {
  refuseLocked(stream[kState], 'WritableStream');
  const { port1, port2 } = entangled();
  pipe(readableFrom(port1, false), stream);
  return given('WritableStream', writableTo(port2), port2);
}

function transferTransform(stream) {
  const { readable, writable } = stream;
  refuseLocked(readable[kState], 'ReadableStream');
  refuseLocked(writable[kState], 'WritableStream');
  const sides = { readable: transferReadable(readable).value, writable: transferWritable(writable).value };
  const { fromSides } = require('internal/webstreams/transform');
  return given('TransformStream', fromSides(sides), [sides.readable[kWire]()[1], sides.writable[kWire]()[1]]);
}

const revive = {
  readable: (port) => readableFrom(port, true),
  writable: writableTo,
  transform([readable, writable]) {
    const { fromSides } = require('internal/webstreams/transform');
    return fromSides({ readable: readableFrom(readable, true), writable: writableTo(writable) });
  },
};

module.exports = { transferReadable, transferWritable, transferTransform, revive };
