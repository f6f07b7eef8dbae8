// `compose`: streams and functions in a row, as one duplex stream (STREAM-46).
'use strict';

const { codes: { ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS } } = require('internal/errors');
const { Closing, coupleReadable, coupleWritable, release } = require('internal/streams/coupling');
const { destroyer } = require('internal/streams/destroy');
const Duplex = require('internal/streams/duplex');
const { eos } = require('internal/streams/end_of_stream');
const is = require('internal/streams/is');

const canRead = (it) => Boolean(is.isReadable(it) || is.isReadableStream(it) || is.isTransformStream(it));
const canWrite = (it) => Boolean(is.isWritable(it) || is.isWritableStream(it) || is.isTransformStream(it));

function compose(...given) {
  if (given.length < 2) {
    if (given.length === 0) throw new ERR_MISSING_ARGS('streams');
    return Duplex.from(given[0]);
  }
  const last = given.length - 1;
  const parts = given.map((part, i) => (typeof part === 'function' && (i === 0 || i === last) ? Duplex.from(part) : part));
  parts.forEach((part, i) => {
    if (!is.isNodeStream(part) && !is.isWebStream(part)) return;
    if (i < last && !canRead(part)) throw new ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], 'must be readable');
    if (i > 0 && !canWrite(part)) throw new ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], 'must be writable');
  });
  return couple(parts);
}

function couple(parts) {
  const closing = new Closing();
  const tail = require('internal/streams/pipeline').pipeline(parts, (error) => {
    if (closing.settle(error)) return;
    if (error || !(readable || writable)) duplex.destroy(error);
  });
  const [head] = parts;
  const readable = canRead(tail);
  const writable = canWrite(head);
  const duplex = new Duplex({
    writableObjectMode: Boolean(head?.writableObjectMode),
    readableObjectMode: Boolean(tail?.readableObjectMode),
    writable,
    readable,
  });

  const allWaits = [];
  if (writable) {
    const waits = is.isNodeStream(head) ? coupleWritable(duplex, head) : writeToWeb(duplex, head);
    // What was written has finished when the last stream has.
    eos(webReadable(tail), () => release(waits, 'finish'));
    allWaits.push(waits);
  }
  if (readable) {
    if (is.isNodeStream(tail)) allWaits.push(coupleReadable(duplex, tail));
    else readFromWeb(duplex, webReadable(tail));
  }
  duplex._destroy = (error, callback) => {
    closing.begin(error, callback, allWaits, (reason) => {
      if (is.isNodeStream(tail)) destroyer(tail, reason);
    });
  };
  return duplex;
}

function webReadable(it) {
  return is.isTransformStream(it) ? it.readable : it;
}

function writeToWeb(duplex, head) {
  const waits = { finish: null };
  const writer = (is.isTransformStream(head) ? head.writable : head).getWriter();
  // Whether a write or the closing fails is told by the other end.
  const whenReady = (then, callback) => writer.ready.then(then).catch(callback);
  duplex._write = (chunk, encoding, callback) => {
    whenReady(() => {
      writer.write(chunk).catch(() => {});
      callback();
    }, callback);
  };
  duplex._final = (callback) => {
    whenReady(() => {
      writer.close().catch(() => {});
      waits.finish = callback;
    }, callback);
  };
  return waits;
}

function readFromWeb(duplex, tail) {
  const reader = tail.getReader();
  duplex._read = async () => {
    try {
      for (let isOpen = true; isOpen;) {
        const { done, value } = await reader.read();
        isOpen = duplex.push(value) && !done;
        if (done) duplex.push(null);
      }
    } catch {
      // Whoever waits for the end of the tail is told.
    }
  };
}

module.exports = compose;
