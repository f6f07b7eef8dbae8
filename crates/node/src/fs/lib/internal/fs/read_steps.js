// A whole file in the steps that hooks hear of in Node: it is opened, looked at, read and closed.
'use strict';

const { toBuffer } = require('internal/fs/arguments');
const { onFile } = require('internal/fs/gate');
const { toStats } = require('internal/fs/stats');

// So much is read at a time of what does not say how long it is, and of what is longer.
const UNKNOWN = 65536;
const LONGEST = 512 * 1024;

/// `open` is the call that opens it; `finish` makes of the bytes what the program gets.
module.exports = function readInSteps(open, finish, callback) {
  const { Buffer } = require('buffer');
  const pieces = [];
  let total = 0;

  const close = (fd, error) => {
    onFile('close', [fd], () => undefined).request((second) => {
      if (error ?? second) callback(error ?? second);
      else callback(null, finish(Buffer.concat(pieces, total)));
    });
  };

  const read = (fd, size) => {
    const wanted = size === 0 ? UNKNOWN : Math.min(LONGEST, size - total);
    onFile('read', [fd, wanted, -1], toBuffer).request((error, piece) => {
      if (error !== null) return close(fd, error);
      pieces.push(piece);
      total += piece.length;
      if (piece.length === 0 || total === size) close(fd, null);
      else read(fd, size);
      return undefined;
    });
  };

  open.request((error, fd) => {
    if (error !== null) return callback(error);
    onFile('fstat', [fd], (list) => toStats(list, false)).request((problem, stats) => {
      if (problem !== null) return close(fd, problem);
      return read(fd, stats.isFile() ? stats.size : 0);
    });
    return undefined;
  });
};
