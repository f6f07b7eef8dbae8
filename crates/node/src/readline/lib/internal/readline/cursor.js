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

function send(stream, text, callback) {
  if (stream !== null && stream !== undefined && text) return stream.write(text, callback);
  if (typeof callback === 'function') binding.nextTick(callback, null);
  return true;
}

function checkCallback(callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
}

function cursorTo(stream, x, y, callback) {
  checkCallback(callback);
  if (typeof y === 'function') {
    callback = y;
    y = undefined;
  }
  if (Number.isNaN(x)) throw new ERR_INVALID_ARG_VALUE('x', x);
  if (Number.isNaN(y)) throw new ERR_INVALID_ARG_VALUE('y', y);
  if (stream == null || (typeof x !== 'number' && typeof y !== 'number')) return send(null, '', callback);
  if (typeof x !== 'number') throw new ERR_INVALID_CURSOR_POS();
  return send(stream, sequences.cursorTo(x, y), callback);
}

function moveCursor(stream, dx, dy, callback) {
  checkCallback(callback);
  return send(stream, sequences.moveCursor(dx, dy), callback);
}

function clearLine(stream, direction, callback) {
  checkCallback(callback);
  return send(stream, sequences.clearLine(direction), callback);
}

function clearScreenDown(stream, callback) {
  checkCallback(callback);
  return send(stream, sequences.clearScreenDown(), callback);
}

module.exports = { clearLine, clearScreenDown, cursorTo, moveCursor, sequences };
