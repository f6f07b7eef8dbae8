// `tee`: two streams of one. A branch that nobody reads keeps what it has not read.
//
// Uses binding.nextTick, queueMicrotask.
'use strict';

const { deferred, follow, kMake, kState, nop } = require('internal/webstreams/common');
const { ReaderState } = require('internal/webstreams/readable_core');
const { ReadableStream, makeByteController, makeController } = require('internal/webstreams/readable');
const { queueMicrotask } = binding;

/// The cancelling of two branches: the source is cancelled when both are, with both reasons.
class Cancelling {
  canceled = [false, false];
  reasons = [undefined, undefined];
  #done = deferred();

  constructor(source) {
    this.source = source;
  }

  get both() {
    return this.canceled[0] && this.canceled[1];
  }

  cancel(branch, reason) {
    this.canceled[branch] = true;
    this.reasons[branch] = reason;
    if (this.both) this.#done.resolve(this.source.cancel([...this.reasons]));
    return this.#done.promise;
  }

  /// There is nothing left to cancel.
  settle() {
    if (!this.both) this.#done.resolve();
  }
}

function branchOf(pull, cancel) {
  return new ReadableStream(kMake, (stream) => {
    makeController(stream, { pull, cancel, highWaterMark: 1, size: () => 1 }, nop);
  });
}

function teeDefault(source) {
  const reader = new ReaderState(source, false);
  const cancelling = new Cancelling(source);
  let reading = false;
  let readAgain = false;

  const pull = () => {
    if (reading) {
      readAgain = true;
      return Promise.resolve();
    }
    reading = true;
    reader.read({
      // Later, so that an error that comes at the same time is seen first.
      chunk: (chunk) => queueMicrotask(() => {
        readAgain = false;
        branches.forEach((branch, i) => {
          if (!cancelling.canceled[i]) branch.controller.enqueue(chunk);
        });
        reading = false;
        if (readAgain) pull();
      }),
      // After everything else that is under way, as in Node.
      close: () => binding.nextTick(() => {
        reading = false;
        branches.forEach((branch, i) => {
          if (!cancelling.canceled[i]) branch.controller.close();
        });
        cancelling.settle();
      }),
      error() {
        reading = false;
      },
    });
    return Promise.resolve();
  };
  const results = [0, 1].map((i) => branchOf(pull, (reason) => cancelling.cancel(i, reason)));
  const branches = results.map((result) => result[kState]);
  follow(reader.closed.promise, undefined, (error) => {
    for (const branch of branches) branch.controller.fail(error);
    cancelling.settle();
  });
  return results;
}

/// Byte streams are read by either branch into its own buffer, and the other gets a copy.
function teeBytes(source) {
  const cancelling = new Cancelling(source);
  let reader = new ReaderState(source, false);
  let reading = false;
  const readAgain = [false, false];

  const watch = (mine) => {
    follow(mine.closed.promise, undefined, (error) => {
      if (mine !== reader) return;
      for (const branch of branches) branch.controller.fail(error);
      cancelling.settle();
    });
  };
  const use = (byob) => {
    if (reader.byob === byob) return;
    reader.release();
    reader = new ReaderState(source, byob);
    watch(reader);
  };
  const copyOf = (chunk) => {
    const { buffer, byteOffset, byteLength } = chunk;
    return new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength));
  };
  // A copy that cannot be made ends everything.
  const failAll = (error) => {
    for (const branch of branches) branch.controller.fail(error);
    cancelling.cancel(0, error);
    cancelling.cancel(1, error);
  };
  const goOn = () => {
    reading = false;
    if (readAgain[0]) pull(0);
    else if (readAgain[1]) pull(1);
  };

  const pullDefault = () => {
    use(false);
    reader.read({
      chunk: (chunk) => queueMicrotask(() => {
        readAgain.fill(false);
        let copy = chunk;
        if (!cancelling.canceled[0] && !cancelling.canceled[1]) {
          try {
            copy = copyOf(chunk);
          } catch (error) {
            failAll(error);
            return;
          }
        }
        if (!cancelling.canceled[0]) branches[0].controller.enqueue(chunk);
        if (!cancelling.canceled[1]) branches[1].controller.enqueue(copy);
        goOn();
      }),
      close() {
        reading = false;
        branches.forEach((branch, i) => {
          if (!cancelling.canceled[i]) branch.controller.close();
        });
        for (const { controller } of branches) if (controller.pendingPullIntos.length > 0) controller.respond(0);
        cancelling.settle();
      },
      error() {
        reading = false;
      },
    });
  };

  const pullWithView = (view, mine) => {
    use(true);
    const other = 1 - mine;
    const request = {
      chunk: (chunk) => queueMicrotask(() => {
        readAgain.fill(false);
        if (!cancelling.canceled[other]) {
          let copy;
          try {
            copy = copyOf(chunk);
          } catch (error) {
            failAll(error);
            return;
          }
          if (!cancelling.canceled[mine]) branches[mine].controller.respondWithNewView(chunk);
          branches[other].controller.enqueue(copy);
        } else if (!cancelling.canceled[mine]) {
          branches[mine].controller.respondWithNewView(chunk);
        }
        goOn();
      }),
      close(chunk) {
        reading = false;
        if (!cancelling.canceled[mine]) branches[mine].controller.close();
        if (!cancelling.canceled[other]) branches[other].controller.close();
        if (chunk !== undefined) {
          if (!cancelling.canceled[mine]) branches[mine].controller.respondWithNewView(chunk);
          const { controller } = branches[other];
          if (!cancelling.canceled[other] && controller.pendingPullIntos.length > 0) controller.respond(0);
        }
        cancelling.settle();
      },
      error() {
        reading = false;
      },
    };
    source.disturbed = true;
    if (source.state === 'errored') request.error(source.error);
    else source.controller.pullInto(view, 1, request);
  };

  const pull = (mine) => {
    if (reading) {
      readAgain[mine] = true;
      return Promise.resolve();
    }
    reading = true;
    const request = branches[mine].controller.self.byobRequest;
    if (request === null) pullDefault();
    else pullWithView(request.view, mine);
    return Promise.resolve();
  };

  const results = [0, 1].map((i) => new ReadableStream(kMake, (stream) => {
    const cancel = (reason) => cancelling.cancel(i, reason);
    makeByteController(stream, { pull: () => pull(i), cancel, highWaterMark: 0 }, nop);
  }));
  const branches = results.map((result) => result[kState]);
  watch(reader);
  return results;
}

module.exports = { teeBytes, teeDefault };
