// The readable stream as the specification has it: its states, and what readers and controllers do to it.
// The classes that programs see are in `readable.js`.
'use strict';

const Queue = require('internal/queue');
const {
  SizedQueue, deferred, follow, handled, invalidState, nop, rejectedWith, resolvedWith,
} = require('internal/webstreams/common');

class StreamState {
  state = 'readable';
  disturbed = false;
  reader = undefined;
  controller = undefined;
  error = undefined;
  // What those who wait for the end of the stream wait for; made when first asked for.
  ended = undefined;

  get locked() {
    return this.reader !== undefined;
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

  get hasDefaultReader() {
    return this.reader !== undefined && !this.reader.byob;
  }

  get hasByobReader() {
    return this.reader !== undefined && this.reader.byob;
  }

  /// How many reads wait for data.
  get waiting() {
    return this.reader.requests.length;
  }

  /// Answers the read that has waited longest.
  fulfill(chunk, done) {
    const request = this.reader.requests.shift();
    if (done) request.close(chunk);
    else request.chunk(chunk);
  }

  close() {
    this.state = 'closed';
    this.ended?.resolve();
    const { reader } = this;
    if (reader === undefined) return;
    reader.closed.resolve();
    if (!reader.byob) for (const request of reader.takeRequests()) request.close();
  }

  fail(error) {
    this.state = 'errored';
    this.error = error;
    this.ended?.reject(error);
    const { reader } = this;
    if (reader === undefined) return;
    reader.closed.reject(error);
    handled(reader.closed.promise);
    for (const request of reader.takeRequests()) request.error(error);
  }

  /// Gives a promise.
  cancel(reason) {
    this.disturbed = true;
    if (this.state === 'closed') return Promise.resolve();
    if (this.state === 'errored') return rejectedWith(this.error).promise;
    this.close();
    if (this.hasByobReader) for (const request of this.reader.takeRequests()) request.close(undefined);
    return follow(this.controller.cancelSteps(reason), nop);
  }
}

/// A reader of either kind.
class ReaderState {
  requests = new Queue();

  constructor(stream, byob) {
    if (stream.locked) throw invalidState('ReadableStream is locked');
    this.byob = byob;
    this.stream = stream;
    stream.reader = this;
    if (stream.state === 'readable') this.closed = deferred();
    else if (stream.state === 'closed') this.closed = resolvedWith(undefined);
    else this.closed = rejectedWith(stream.error);
  }

  takeRequests() {
    const taken = [];
    while (this.requests.length > 0) taken.push(this.requests.shift());
    return taken;
  }

  release() {
    const { stream } = this;
    const error = invalidState('Reader released');
    if (stream.state === 'readable') this.closed.reject(error);
    else this.closed = rejectedWith(error);
    handled(this.closed.promise);
    stream.controller.releaseSteps();
    stream.reader = undefined;
    this.stream = undefined;
    const releasing = invalidState('Releasing reader');
    for (const request of this.takeRequests()) request.error(releasing);
  }

  /// `request` has `chunk(value)`, `close()` and `error(reason)`, one of which is called.
  read(request) {
    const { stream } = this;
    stream.disturbed = true;
    if (stream.state === 'closed') request.close();
    else if (stream.state === 'errored') request.error(stream.error);
    else stream.controller.pullSteps(request);
  }
}

/// What both kinds of controllers do to be given more data.
class ControllerState {
  started = false;
  closeRequested = false;
  pulling = false;
  pullAgain = false;
  // Declared, so that setters of `Object.prototype` are not called.
  highWaterMark = undefined;

  constructor(stream, { pull, cancel, highWaterMark }) {
    this.stream = stream;
    this.pull = pull;
    this.cancel = cancel;
    this.highWaterMark = highWaterMark;
    stream.controller = this;
  }

  start(startResult) {
    follow(resolvedWith(startResult).promise, () => {
      this.started = true;
      this.pullIfNeeded();
    }, (error) => this.fail(error));
  }

  get canClose() {
    return !this.closeRequested && this.stream.state === 'readable';
  }

  get desiredSize() {
    if (this.stream.state === 'errored') return null;
    if (this.stream.state === 'closed') return 0;
    return this.highWaterMark - this.queued;
  }

  pullIfNeeded() {
    if (!this.canClose || !this.started) return;
    if (!(this.stream.locked && this.stream.waiting > 0) && !(this.desiredSize > 0)) return;
    if (this.pulling) {
      this.pullAgain = true;
      return;
    }
    this.pulling = true;
    follow(this.pull(this.self), () => {
      this.pulling = false;
      if (this.pullAgain) {
        this.pullAgain = false;
        this.pullIfNeeded();
      }
    }, (error) => this.fail(error));
  }

  /// The program's functions are let go of when they cannot be needed any more.
  forget() {
    this.pull = undefined;
    this.cancel = undefined;
    this.size = undefined;
  }
}

/// The controller of chunks of any kind.
class DefaultControllerState extends ControllerState {
  queue = new SizedQueue();
  size = undefined;

  constructor(stream, options) {
    super(stream, options);
    this.size = options.size;
  }

  get queued() {
    return this.queue.total;
  }

  enqueue(chunk) {
    if (!this.canClose) return;
    if (this.stream.locked && this.stream.waiting > 0) {
      this.stream.fulfill(chunk, false);
    } else {
      try {
        this.queue.push(chunk, this.size(chunk));
      } catch (error) {
        this.fail(error);
        throw error;
      }
    }
    this.pullIfNeeded();
  }

  close() {
    if (!this.canClose) return;
    this.closeRequested = true;
    if (this.queue.isEmpty) {
      this.forget();
      this.stream.close();
    }
  }

  fail(error) {
    if (this.stream.state !== 'readable') return;
    this.queue.reset();
    this.forget();
    this.stream.fail(error);
  }

  pullSteps(request) {
    if (this.queue.isEmpty) {
      this.stream.reader.requests.push(request);
      this.pullIfNeeded();
      return;
    }
    const chunk = this.queue.shift();
    if (this.closeRequested && this.queue.isEmpty) {
      this.forget();
      this.stream.close();
    } else {
      this.pullIfNeeded();
    }
    request.chunk(chunk);
  }

  cancelSteps(reason) {
    this.queue.reset();
    const result = this.cancel(reason);
    this.forget();
    return result;
  }

  releaseSteps() {}
}

module.exports = { StreamState, ReaderState, ControllerState, DefaultControllerState };
