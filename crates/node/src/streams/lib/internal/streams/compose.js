// `compose`: a row of streams as one duplex stream, from the writable end of the first to the readable
// end of the last.
//
// Uses binding.nextTick.
'use strict';

const { codes: { ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS } } = require('internal/errors');
const { Closing, coupleReadable, coupleWritable, release } = require('internal/streams/coupling');
const { destroyer } = require('internal/streams/destroy');
const Duplex = require('internal/streams/duplex');
const { eos } = require('internal/streams/end_of_stream');
const is = require('internal/streams/is');

const givesData = (it) => Boolean(is.isReadable(it) || is.isReadableStream(it) || is.isTransformStream(it));
const takesData = (it) => Boolean(is.isWritable(it) || is.isWritableStream(it) || is.isTransformStream(it));

function compose(...given) {
  if (given.length === 0) throw new ERR_MISSING_ARGS('streams');
  if (given.length === 1) return Duplex.from(given[0]);
  const last = given.length - 1;
  const streams = given.map((one, i) => ((i === 0 || i === last) && typeof one === 'function' ? Duplex.from(one) : one));
  streams.forEach((one, i) => {
    if (!is.isNodeStream(one) && !is.isWebStream(one)) return;
    if (i < last && !givesData(one)) throw new ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], 'must be readable');
    if (i > 0 && !takesData(one)) throw new ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], 'must be writable');
  });

  const closing = new Closing();
  const head = streams[0];
  const tail = require('internal/streams/pipeline').pipeline(streams, (error) => {
    if (closing.settle(error)) return;
    if (error) duplex.destroy(error);
    else if (!readable && !writable) duplex.destroy();
  });
  const writable = takesData(head);
  const readable = givesData(tail);
  const duplex = new Duplex({
    writableObjectMode: Boolean(head?.writableObjectMode),
    readableObjectMode: Boolean(tail?.readableObjectMode),
    writable,
    readable,
  });
  const allWaits = [];
  if (writable) allWaits.push(is.isNodeStream(head) ? coupleHead(duplex, head, tail) : coupleWebHead(duplex, head, tail));
  if (readable) {
    if (is.isNodeStream(tail)) allWaits.push(coupleReadable(duplex, tail));
    else if (is.isWebStream(tail)) coupleWebTail(duplex, tail);
  }
  duplex._destroy = (error, callback) => {
    closing.begin(error, callback, allWaits, (reason) => {
      if (is.isNodeStream(tail)) destroyer(tail, reason);
    });
  };
  return duplex;
}

function coupleHead(duplex, head, tail) {
  const waits = coupleWritable(duplex, head);
  finishWithTail(tail, waits);
  return waits;
}

/// What was written has finished when the last stream has.
function finishWithTail(tail, waits) {
  eos(is.isTransformStream(tail) ? tail.readable : tail, () => release(waits, 'finish'));
}

function coupleWebHead(duplex, head, tail) {
  const waits = { finish: null };
  const writer = (is.isTransformStream(head) ? head.writable : head).getWriter();
  duplex._write = async (chunk, encoding, callback) => {
    try {
      await writer.ready;
      writer.write(chunk).catch(() => {});
      callback();
    } catch (error) {
      callback(error);
    }
  };
  duplex._final = async (callback) => {
    try {
      await writer.ready;
      writer.close().catch(() => {});
      waits.finish = callback;
    } catch (error) {
      callback(error);
    }
  };
  finishWithTail(tail, waits);
  return waits;
}

function coupleWebTail(duplex, tail) {
  const reader = (is.isTransformStream(tail) ? tail.readable : tail).getReader();
  duplex._read = async () => {
    while (true) {
      try {
        const { value, done } = await reader.read();
        if (!duplex.push(value)) return;
        if (done) {
          duplex.push(null);
          return;
        }
      } catch {
        // The pipeline hears of it as well, and destroys.
        return;
      }
    }
  };
}

module.exports = compose;
