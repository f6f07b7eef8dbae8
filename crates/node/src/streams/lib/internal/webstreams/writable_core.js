// The writable stream as the specification has it: its states, and what writers and the controller do to
// it. The classes that programs see are in `writable.js`.
'use strict';

const Queue = require('internal/queue');
const {
  SizedQueue, deferred, follow, handled, invalidState, rejectedWith, resolvedWith,
} = require('internal/webstreams/common');

// Stands in the controller's queue for the end.
const kClose = Symbol('kClose');

class StreamState {
  // 'writable', 'erroring', 'errored' or 'closed'.
  state = 'writable';
  error = undefined;
  writer = undefined;
  controller = undefined;
  backpressure = false;
  writeRequests = new Queue();
  inFlightWrite = undefined;
  closeRequest = undefined;
  inFlightClose = undefined;
  // { done, reason, wasErroring }
  pendingAbort = undefined;
  // What those who wait for the end of the stream wait for; made when first asked for.
  ended = undefined;

  get locked() {
    return this.writer !== undefined;
  }

  get closeQueuedOrInFlight() {
    return this.closeRequest !== undefined || this.inFlightClose !== undefined;
  }

  /// The promise of `finished`.
  get whenEnded() {
    if (this.ended === undefined) {
      this.ended = deferred();
      handled(this.ended.promise);
      if (this.state === 'closed') this.ended.resolve();
      else if (this.state === 'errored') this.ended.reject(this.error);
    }
    return this.ended;
  }

  /// Gives a promise.
  abort(reason) {
    if (this.state === 'closed' || this.state === 'errored') return Promise.resolve();
    this.controller.abortController.abort(reason);
    // The signal's listeners may have done something.
    if (this.state === 'closed' || this.state === 'errored') return Promise.resolve();
    if (this.pendingAbort !== undefined) return this.pendingAbort.done.promise;
    const wasErroring = this.state === 'erroring';
    const done = deferred();
    this.pendingAbort = { done, reason: wasErroring ? undefined : reason, wasErroring };
    if (!wasErroring) this.startErroring(reason);
    return done.promise;
  }

  /// Gives a promise.
  close() {
    if (this.state === 'closed' || this.state === 'errored') {
      return rejectedWith(invalidState('WritableStream is closed')).promise;
    }
    this.closeRequest = deferred();
    const { promise } = this.closeRequest;
    if (this.writer !== undefined && this.backpressure && this.state === 'writable') this.writer.ready.resolve();
    this.controller.close();
    return promise;
  }

  addWriteRequest() {
    const request = deferred();
    this.writeRequests.push(request);
    return request.promise;
  }

  updateBackpressure(backpressure) {
    const { writer } = this;
    if (writer !== undefined && backpressure !== this.backpressure) {
      if (backpressure) writer.ready = deferred();
      else writer.ready.resolve();
    }
    this.backpressure = backpressure;
  }

  // The way to the end by an error.

  dealWithRejection(error) {
    if (this.state === 'writable') this.startErroring(error);
    else this.finishErroring();
  }

  startErroring(reason) {
    this.state = 'erroring';
    this.error = reason;
    this.writer?.failReady(reason);
    if (this.inFlightWrite === undefined && this.inFlightClose === undefined && this.controller.started) {
      this.finishErroring();
    }
  }

  finishErroring() {
    this.state = 'errored';
    this.controller.queue.reset();
    const { error } = this;
    while (this.writeRequests.length > 0) this.writeRequests.shift().reject(error);
    if (this.pendingAbort === undefined) {
      this.rejectCloseAndClosed();
      return;
    }
    const { done, reason, wasErroring } = this.pendingAbort;
    this.pendingAbort = undefined;
    if (wasErroring) {
      done.reject(error);
      this.rejectCloseAndClosed();
      return;
    }
    follow(this.controller.abortSteps(reason), () => {
      done.resolve();
      this.rejectCloseAndClosed();
    }, (failure) => {
      done.reject(failure);
      this.rejectCloseAndClosed();
    });
  }

  rejectCloseAndClosed() {
    if (this.closeRequest !== undefined) {
      this.closeRequest.reject(this.error);
      this.closeRequest = undefined;
    }
    this.ended?.reject(this.error);
    if (this.writer !== undefined) {
      this.writer.closed.reject(this.error);
      handled(this.writer.closed.promise);
    }
  }

  // What becomes of the write or the close that is under way.

  finishWrite() {
    this.inFlightWrite.resolve();
    this.inFlightWrite = undefined;
  }

  failWrite(error) {
    this.inFlightWrite.reject(error);
    this.inFlightWrite = undefined;
    this.dealWithRejection(error);
  }

  finishClose() {
    this.inFlightClose.resolve();
    this.inFlightClose = undefined;
    if (this.state === 'erroring') {
      // It closed all the same.
      this.error = undefined;
      this.pendingAbort?.done.resolve();
      this.pendingAbort = undefined;
    }
    this.state = 'closed';
    this.writer?.closed.resolve();
    this.ended?.resolve();
  }

  failClose(error) {
    this.inFlightClose.reject(error);
    this.inFlightClose = undefined;
    this.pendingAbort?.done.reject(error);
    this.pendingAbort = undefined;
    this.dealWithRejection(error);
  }
}

class WriterState {
  constructor(stream) {
    if (stream.locked) throw invalidState('WritableStream is locked');
    this.stream = stream;
    stream.writer = this;
    switch (stream.state) {
      case 'writable':
        this.ready = !stream.closeQueuedOrInFlight && stream.backpressure ? deferred() : resolvedWith(undefined);
        this.closed = deferred();
        break;
      case 'erroring':
        this.ready = rejectedWith(stream.error);
        this.closed = deferred();
        break;
      case 'closed':
        this.ready = resolvedWith(undefined);
        this.closed = resolvedWith(undefined);
        break;
      default:
        this.ready = rejectedWith(stream.error);
        this.closed = rejectedWith(stream.error);
    }
  }

  get desiredSize() {
    const { stream } = this;
    if (stream.state === 'errored' || stream.state === 'erroring') return null;
    return stream.state === 'closed' ? 0 : stream.controller.desiredSize;
  }

  /// To reject a promise that is settled already takes a new one.
  failReady(error) {
    if (this.ready.pending) this.ready.reject(error);
    else this.ready = rejectedWith(error);
    handled(this.ready.promise);
  }

  failClosed(error) {
    if (this.closed.pending) this.closed.reject(error);
    else this.closed = rejectedWith(error);
    handled(this.closed.promise);
  }

  release() {
    const error = invalidState('Writer has been released');
    this.failReady(error);
    this.failClosed(error);
    this.stream.writer = undefined;
    this.stream = undefined;
  }

  /// Gives a promise.
  write(chunk) {
    const { stream } = this;
    const { controller } = stream;
    const size = controller.sizeOf(chunk);
    // The program's function may have released us.
    if (stream !== this.stream) return rejectedWith(invalidState('Mismatched WritableStreams')).promise;
    if (stream.state === 'errored') return rejectedWith(stream.error).promise;
    if (stream.closeQueuedOrInFlight || stream.state === 'closed') {
      return rejectedWith(invalidState('WritableStream is closed')).promise;
    }
    if (stream.state === 'erroring') return rejectedWith(stream.error).promise;
    const promise = stream.addWriteRequest();
    controller.write(chunk, size);
    return promise;
  }

  /// For a pipe: closing what is closed is well, and what has failed stays failed.
  closeWithErrorPropagation() {
    const { stream } = this;
    if (stream.closeQueuedOrInFlight || stream.state === 'closed') return Promise.resolve();
    if (stream.state === 'errored') return rejectedWith(stream.error).promise;
    return stream.close();
  }
}

class ControllerState {
  queue = new SizedQueue();
  started = false;
  // Declared, so that setters of `Object.prototype` are not called.
  highWaterMark = undefined;
  size = undefined;

  constructor(stream, { write, close, abort, highWaterMark, size }) {
    const { AbortController } = require('internal/abort_controller');
    this.stream = stream;
    this.writeAlgorithm = write;
    this.closeAlgorithm = close;
    this.abortAlgorithm = abort;
    this.highWaterMark = highWaterMark;
    this.size = size;
    this.abortController = new AbortController();
    stream.controller = this;
  }

  start(start) {
    const { stream } = this;
    stream.updateBackpressure(this.backpressure);
    follow(resolvedWith(start(this.self)).promise, () => {
      this.started = true;
      this.advance();
    }, (error) => {
      this.started = true;
      stream.dealWithRejection(error);
    });
  }

  get desiredSize() {
    return this.highWaterMark - this.queue.total;
  }

  get backpressure() {
    return this.desiredSize <= 0;
  }

  forget() {
    this.writeAlgorithm = undefined;
    this.closeAlgorithm = undefined;
    this.abortAlgorithm = undefined;
    this.size = undefined;
  }

  sizeOf(chunk) {
    if (this.size === undefined) return 1;
    try {
      return this.size(chunk);
    } catch (error) {
      this.failIfWritable(error);
      return 1;
    }
  }

  failIfWritable(error) {
    if (this.stream.state === 'writable') this.fail(error);
  }

  fail(error) {
    this.forget();
    this.stream.startErroring(error);
  }

  abortSteps(reason) {
    const result = this.abortAlgorithm(reason);
    this.forget();
    return result;
  }

  close() {
    this.queue.push(kClose, 0);
    this.advance();
  }

  write(chunk, size) {
    const { stream } = this;
    try {
      this.queue.push(chunk, size);
    } catch (error) {
      this.failIfWritable(error);
      return;
    }
    if (!stream.closeQueuedOrInFlight && stream.state === 'writable') stream.updateBackpressure(this.backpressure);
    this.advance();
  }

  /// Takes the next thing in the queue in hand, if there is one and nothing else is under way.
  advance() {
    const { stream } = this;
    if (!this.started || stream.inFlightWrite !== undefined) return;
    if (stream.state === 'erroring') {
      stream.finishErroring();
      return;
    }
    if (stream.state !== 'writable' || this.queue.isEmpty) return;
    const next = this.queue.peek();
    if (next === kClose) this.processClose();
    else this.processWrite(next);
  }

  processClose() {
    const { stream } = this;
    stream.inFlightClose = stream.closeRequest;
    stream.closeRequest = undefined;
    this.queue.shift();
    const result = this.closeAlgorithm();
    this.forget();
    follow(result, () => stream.finishClose(), (error) => stream.failClose(error));
  }

  processWrite(chunk) {
    const { stream } = this;
    stream.inFlightWrite = stream.writeRequests.shift();
    follow(this.writeAlgorithm(chunk, this.self), () => {
      stream.finishWrite();
      this.queue.shift();
      if (!stream.closeQueuedOrInFlight && stream.state === 'writable') stream.updateBackpressure(this.backpressure);
      this.advance();
    }, (error) => {
      if (stream.state === 'writable') this.forget();
      stream.failWrite(error);
    });
  }
}

module.exports = { StreamState, WriterState, ControllerState };
