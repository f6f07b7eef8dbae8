// `pipeTo`: from a readable stream to a writable one, until either ends.
'use strict';

const { deferred, follow, handled, invalidState, nop } = require('internal/webstreams/common');
const { ReaderState } = require('internal/webstreams/readable_core');
const { WriterState } = require('internal/webstreams/writable_core');

function pipeTo(source, dest, { preventAbort, preventCancel, preventClose, signal }) {
  const reader = new ReaderState(source, false);
  const writer = new WriterState(dest);
  source.disturbed = true;
  const done = deferred();
  let shuttingDown = false;
  // The last write: what was read is written before anything ends.
  let lastWrite = Promise.resolve();
  let stopListening = nop;

  // Ending, after `action` if there is one; the result is its failure, or the given one.
  function shutDown(action, failure) {
    if (shuttingDown) return;
    shuttingDown = true;
    const act = () => {
      if (action === undefined) finalize(failure);
      else follow(action(), () => finalize(failure), (error) => finalize({ error }));
    };
    if (dest.state === 'writable' && !dest.closeQueuedOrInFlight) follow(allWritten(), act, (error) => finalize({ error }));
    else act();
  }

  // Waits for the writes, and for those that come meanwhile.
  function allWritten() {
    const waited = lastWrite;
    return follow(waited, () => (waited !== lastWrite ? allWritten() : undefined));
  }

  function finalize(failure) {
    writer.release();
    reader.release();
    stopListening();
    if (failure === undefined) done.resolve();
    else done.reject(failure.error);
  }

  if (signal !== undefined) {
    const onAbort = () => {
      const error = signal.reason;
      shutDown(() => {
        const actions = [];
        if (!preventAbort && dest.state === 'writable') actions.push(dest.abort(error));
        if (!preventCancel && source.state === 'readable') actions.push(source.cancel(error));
        return follow(Promise.all(actions.map((one) => follow(one, nop))), nop);
      }, { error });
    };
    if (signal.aborted) {
      onAbort();
      return done.promise;
    }
    signal.addEventListener('abort', onAbort);
    stopListening = () => signal.removeEventListener('abort', onAbort);
  }

  // The four ways for it to end, the first of which counts.
  const sourceFailed = () => shutDown(preventAbort ? undefined : () => dest.abort(source.error), { error: source.error });
  const destFailed = () => shutDown(preventCancel ? undefined : () => source.cancel(dest.error), { error: dest.error });
  const sourceClosed = () => shutDown(preventClose ? undefined : () => writer.closeWithErrorPropagation());

  if (source.state === 'errored') sourceFailed();
  else follow(reader.closed.promise, nop, sourceFailed);
  if (dest.state === 'errored') destFailed();
  else follow(writer.closed.promise, nop, destFailed);
  if (source.state === 'closed') sourceClosed();
  else follow(reader.closed.promise, sourceClosed, nop);
  if (dest.closeQueuedOrInFlight || dest.state === 'closed') {
    const error = invalidState('Destination WritableStream is closed');
    shutDown(preventCancel ? undefined : () => source.cancel(error), { error });
  }

  // One chunk, once the destination has room. Gives a promise that tells whether it was the last.
  async function step() {
    if (shuttingDown) return true;
    await writer.ready.promise;
    const read = deferred();
    reader.read({
      chunk(chunk) {
        lastWrite = handled(writer.write(chunk));
        read.resolve(false);
      },
      close: () => read.resolve(true),
      error: read.reject,
    });
    return read.promise;
  }
  async function run() {
    while (!(await step()));
  }
  // Errors are heard of by the promises above.
  handled(run());
  return done.promise;
}

module.exports = { pipeTo };
