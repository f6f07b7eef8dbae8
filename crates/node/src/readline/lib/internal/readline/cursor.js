// The sequences that move a terminal's cursor and clear parts of its screen.
//
// Uses binding.nextTick.
'use strict';

const { codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_CURSOR_POS } } = require('internal/errors');
const { validateFunction } = require('internal/validators');

const CSI = '\u001b[';

const sequences = {
  cursorTo: (x, y) => (typeof y === 'number' ? `${CSI}${y + 1};${x + 1}H` : `${CSI}${x + 1}G`),
  moveCursor(dx, dy) {
    let text = '';
    if (dx !== 0) text += `${CSI}${Math.abs(dx)}${dx < 0 ? 'D' : 'C'}`;
    if (dy !== 0) text += `${CSI}${Math.abs(dy)}${dy < 0 ? 'A' : 'B'}`;
    return text;
  },
  clearLine: (direction) => `${CSI}${direction < 0 ? 1 : direction > 0 ? 0 : 2}K`,
  clearScreenDown: () => `${CSI}0J`,
};

/// Writes a sequence, if there is one and a stream for it (rule READLINE-11).
function send(stream, sequence, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (stream && sequence !== '') return stream.write(sequence, callback);
  if (callback !== undefined) binding.nextTick(callback, null);
  return true;
}

/// Rule READLINE-12.
function placement(x, y) {
  for (const [name, value] of Object.entries({ x, y })) {
    if (Number.isNaN(value)) throw new ERR_INVALID_ARG_VALUE(name, value);
  }
  if (typeof x === 'number') return sequences.cursorTo(x, y);
  return typeof y === 'number' ? undefined : '';
}

function cursorTo(stream, x, y, callback) {
  // The row may be left out.
  const hasRow = typeof y !== 'function';
  const done = hasRow ? callback : y;
  if (done !== undefined) validateFunction(done, 'callback');
  const sequence = placement(x, hasRow ? y : undefined);
  if (stream && sequence === undefined) throw new ERR_INVALID_CURSOR_POS();
  return send(stream, sequence, done);
}

const moveCursor = (stream, dx, dy, callback) => send(stream, sequences.moveCursor(dx, dy), callback);
const clearLine = (stream, direction, callback) => send(stream, sequences.clearLine(direction), callback);
const clearScreenDown = (stream, callback) => send(stream, sequences.clearScreenDown(), callback);

module.exports = { clearLine, clearScreenDown, cursorTo, moveCursor, sequences };
