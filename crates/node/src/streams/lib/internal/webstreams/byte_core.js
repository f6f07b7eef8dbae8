// The controller of byte streams. Its queue holds parts of buffers; readers may bring buffers of their
// own, which wait as `pendingPullIntos` until they are filled.
'use strict';

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { invalidState } = require('internal/webstreams/common');
const { ControllerState } = require('internal/webstreams/readable_core');

/// A buffer to be filled: for a reader (`default`, `byob`), or for one that has left (`none`).
class PullInto {
  bytesFilled = 0;

  constructor(buffer, byteOffset, byteLength, Class, elementSize, minimumFill, readerType) {
    this.buffer = buffer;
    this.bufferByteLength = buffer.byteLength;
    this.byteOffset = byteOffset;
    this.byteLength = byteLength;
    this.Class = Class;
    this.elementSize = elementSize;
    this.minimumFill = minimumFill;
    this.readerType = readerType;
  }

  /// What there is of it, for the reader.
  toView() {
    return new this.Class(this.buffer.transfer(), this.byteOffset, this.bytesFilled / this.elementSize);
  }
}

class ByteControllerState extends ControllerState {
  chunks = [];
  queued = 0;
  pendingPullIntos = [];
  // The request that the program has in hand, by its state.
  request = null;

  constructor(stream, options) {
    super(stream, options);
    this.autoAllocateChunkSize = options.autoAllocateChunkSize;
  }

  /// Invalidates the request in hand: its view is not to be touched any more.
  invalidate() {
    if (this.request === null) return;
    this.request.controller = undefined;
    this.request.view = null;
    this.request = null;
  }

  resetQueue() {
    this.chunks = [];
    this.queued = 0;
  }

  keep(buffer, byteOffset, byteLength) {
    this.chunks.push({ buffer, byteOffset, byteLength });
    this.queued += byteLength;
  }

  keepCopy(buffer, byteOffset, byteLength) {
    let copy;
    try {
      copy = buffer.slice(byteOffset, byteOffset + byteLength);
    } catch (error) {
      this.fail(error);
      throw error;
    }
    this.keep(copy, 0, byteLength);
  }

  enqueue(chunk) {
    const { stream } = this;
    if (!this.canClose) return;
    const { buffer, byteOffset, byteLength } = chunk;
    if (buffer.detached) throw invalidState('chunk ArrayBuffer is zero-length or detached');
    const taken = buffer.transfer();
    if (this.pendingPullIntos.length > 0) {
      const first = this.pendingPullIntos[0];
      if (first.buffer.detached) throw invalidState('Destination ArrayBuffer is detached');
      this.invalidate();
      first.buffer = first.buffer.transfer();
      if (first.readerType === 'none') this.keepDetached(first);
    }
    if (stream.hasDefaultReader) {
      while (stream.waiting > 0 && this.queued > 0) this.giveChunk(stream.reader.requests.shift());
      if (stream.waiting === 0) {
        this.keep(taken, byteOffset, byteLength);
      } else {
        if (this.pendingPullIntos.length > 0) this.pendingPullIntos.shift();
        stream.fulfill(new Uint8Array(taken, byteOffset, byteLength), false);
      }
    } else {
      this.keep(taken, byteOffset, byteLength);
      if (stream.hasByobReader) this.commitAll(this.fillFromQueue());
    }
    this.pullIfNeeded();
  }

  close() {
    if (!this.canClose) return;
    if (this.queued > 0) {
      this.closeRequested = true;
      return;
    }
    const first = this.pendingPullIntos[0];
    if (first !== undefined && first.bytesFilled % first.elementSize !== 0) {
      const error = invalidState('Partial read');
      this.fail(error);
      throw error;
    }
    this.forget();
    this.stream.close();
  }

  fail(error) {
    if (this.stream.state !== 'readable') return;
    this.invalidate();
    this.pendingPullIntos = [];
    this.resetQueue();
    this.forget();
    this.stream.fail(error);
  }

  // Reading without a buffer of one's own.

  pullSteps(request) {
    if (this.queued > 0) {
      this.giveChunk(request);
      return;
    }
    const size = this.autoAllocateChunkSize;
    if (size !== undefined) {
      let buffer;
      try {
        buffer = new ArrayBuffer(size);
      } catch (error) {
        request.error(error);
        return;
      }
      this.pendingPullIntos.push(new PullInto(buffer, 0, size, Uint8Array, 1, 1, 'default'));
    }
    this.stream.reader.requests.push(request);
    this.pullIfNeeded();
  }

  giveChunk(request) {
    const { buffer, byteOffset, byteLength } = this.chunks.shift();
    this.queued -= byteLength;
    this.queueDrained();
    request.chunk(new Uint8Array(buffer, byteOffset, byteLength));
  }

  queueDrained() {
    if (this.queued === 0 && this.closeRequested) {
      this.forget();
      this.stream.close();
    } else {
      this.pullIfNeeded();
    }
  }

  cancelSteps(reason) {
    this.invalidate();
    this.pendingPullIntos = [];
    this.resetQueue();
    const result = this.cancel(reason);
    this.forget();
    return result;
  }

  releaseSteps() {
    if (this.pendingPullIntos.length === 0) return;
    const [first] = this.pendingPullIntos;
    first.readerType = 'none';
    this.pendingPullIntos = [first];
  }

  // Reading into a buffer.

  /// `minimum` counts elements of the view.
  pullInto(view, minimum, request) {
    const { stream } = this;
    const isDataView = view instanceof DataView;
    const elementSize = isDataView ? 1 : view.BYTES_PER_ELEMENT;
    const { byteOffset, byteLength } = view;
    let buffer;
    try {
      buffer = view.buffer.transfer();
    } catch (error) {
      request.error(error);
      return;
    }
    const Class = isDataView ? DataView : view.constructor;
    const into = new PullInto(buffer, byteOffset, byteLength, Class, elementSize, minimum * elementSize, 'byob');
    if (this.pendingPullIntos.length > 0) {
      this.pendingPullIntos.push(into);
      stream.reader.requests.push(request);
      return;
    }
    if (stream.state === 'closed') {
      request.close(new Class(buffer, byteOffset, 0));
      return;
    }
    if (this.queued > 0) {
      if (this.fill(into)) {
        const filled = into.toView();
        this.queueDrained();
        request.chunk(filled);
        return;
      }
      if (this.closeRequested) {
        const error = invalidState('ReadableStream closed');
        this.fail(error);
        request.error(error);
        return;
      }
    }
    this.pendingPullIntos.push(into);
    stream.reader.requests.push(request);
    this.pullIfNeeded();
  }

  /// Copies from the queue, whole elements only once there are enough of them. Says whether there are.
  fill(into) {
    const most = Math.min(this.queued, into.byteLength - into.bytesFilled);
    const aligned = into.bytesFilled + most - (into.bytesFilled + most) % into.elementSize;
    const isReady = aligned >= into.minimumFill;
    let left = isReady ? aligned - into.bytesFilled : most;
    while (left > 0) {
      const head = this.chunks[0];
      const count = Math.min(left, head.byteLength);
      new Uint8Array(into.buffer, into.byteOffset + into.bytesFilled, count)
        .set(new Uint8Array(head.buffer, head.byteOffset, count));
      if (head.byteLength === count) {
        this.chunks.shift();
      } else {
        head.byteOffset += count;
        head.byteLength -= count;
      }
      this.queued -= count;
      into.bytesFilled += count;
      left -= count;
    }
    return isReady;
  }

  /// Fills what waits from the queue; gives what is full.
  fillFromQueue() {
    const filled = [];
    while (this.pendingPullIntos.length > 0 && this.queued > 0) {
      if (!this.fill(this.pendingPullIntos[0])) break;
      filled.push(this.pendingPullIntos.shift());
    }
    return filled;
  }

  commitAll(filled) {
    for (const into of filled) this.stream.fulfill(into.toView(), this.stream.state === 'closed');
  }

  keepDetached(into) {
    if (into.bytesFilled > 0) this.keepCopy(into.buffer, into.byteOffset, into.bytesFilled);
    this.pendingPullIntos.shift();
  }

  // The program's answers to the request in hand.

  respond(bytesWritten) {
    const [first] = this.pendingPullIntos;
    if (this.stream.state === 'closed') {
      if (bytesWritten !== 0) throw new ERR_INVALID_ARG_VALUE('bytesWritten', bytesWritten);
    } else {
      if (bytesWritten === 0) throw new ERR_INVALID_ARG_VALUE('bytesWritten', bytesWritten);
      if (first.bytesFilled + bytesWritten > first.byteLength) {
        throw new ERR_INVALID_ARG_VALUE.RangeError('bytesWritten', bytesWritten);
      }
    }
    first.buffer = first.buffer.transfer();
    this.answer(first, bytesWritten);
  }

  respondWithNewView(view) {
    const [first] = this.pendingPullIntos;
    const { byteOffset, byteLength, buffer } = view;
    if (this.stream.state === 'closed') {
      if (byteLength !== 0) throw invalidState('View is not zero-length');
    } else if (byteLength === 0) {
      throw invalidState('View is zero-length');
    }
    if (first.byteOffset + first.bytesFilled !== byteOffset || first.bytesFilled + byteLength > first.byteLength) {
      throw new ERR_INVALID_ARG_VALUE.RangeError('view', view);
    }
    if (first.bufferByteLength !== buffer.byteLength) throw new ERR_INVALID_ARG_VALUE.RangeError('view', view);
    first.buffer = buffer.transfer();
    this.answer(first, byteLength);
  }

  answer(first, bytesWritten) {
    this.invalidate();
    if (this.stream.state === 'closed') this.answerClosed(first);
    else this.answerReadable(first, bytesWritten);
    this.pullIfNeeded();
  }

  answerClosed(first) {
    if (first.readerType === 'none') this.pendingPullIntos.shift();
    if (!this.stream.hasByobReader) return;
    this.commitAll(this.pendingPullIntos.splice(0, this.stream.waiting));
  }

  answerReadable(first, bytesWritten) {
    first.bytesFilled += bytesWritten;
    if (first.readerType === 'none') {
      this.keepDetached(first);
      this.commitAll(this.fillFromQueue());
      return;
    }
    if (first.bytesFilled < first.minimumFill) return;
    this.pendingPullIntos.shift();
    // What is left of an element waits for the next read.
    const rest = first.bytesFilled % first.elementSize;
    if (rest > 0) this.keepCopy(first.buffer, first.byteOffset + first.bytesFilled - rest, rest);
    first.bytesFilled -= rest;
    const filled = this.fillFromQueue();
    this.commitAll([first, ...filled]);
  }
}

module.exports = { ByteControllerState };
