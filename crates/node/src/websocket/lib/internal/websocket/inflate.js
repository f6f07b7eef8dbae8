// permessage-deflate: undoes the compression of one message after the other, each of which may refer to those
// before it.
'use strict';

const { Buffer } = require('buffer');
const { Violation } = require('internal/websocket/receiver');

// A sender leaves out how every message ends.
const TAIL = Buffer.from([0, 0, 0xff, 0xff]);
const MOST_BYTES = 2 ** 31 - 1;

function makeInflate(parameters) {
  const zlib = require('zlib');
  let stream;
  return (bytes) => {
    stream ??= zlib.createInflateRaw();
    const plain = run(stream, Buffer.concat([bytes, TAIL]), zlib.constants.Z_SYNC_FLUSH);
    if (parameters.has('server_no_context_takeover')) {
      stream.close();
      stream = undefined;
    }
    return plain;
  };
}

/// All that comes of a chunk, at once. Unlike `_processChunk` of zlib it leaves the stream open.
function run(stream, chunk, flag) {
  let failure;
  const failed = (error) => { failure = error; };
  stream.on('error', failed);
  const pieces = [];
  let length = 0;
  for (let at = 0; ;) {
    const room = Buffer.allocUnsafe(stream._chunkSize);
    stream._handle.writeSync(flag, chunk, at, chunk.length - at, room, 0, room.length);
    if (failure !== undefined || stream.destroyed) throw new Violation(failure?.message ?? 'invalid compressed data');
    const [roomLeft, chunkLeft] = stream._writeState;
    pieces.push(room.subarray(0, room.length - roomLeft));
    length += room.length - roomLeft;
    if (length > MOST_BYTES) throw new Violation('Received payload length > 2^31 bytes.');
    at = chunk.length - chunkLeft;
    if (roomLeft > 0) break;
  }
  stream.removeListener('error', failed);
  return Buffer.concat(pieces, length);
}

module.exports = { makeInflate };
