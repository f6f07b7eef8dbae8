// How much a stream keeps before it asks whoever writes to wait (STREAM-2).
'use strict';

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateInteger } = require('internal/validators');

// Bytes, and values in object mode.
const defaults = [16 * 1024, 16];

function getDefaultHighWaterMark(objectMode) {
  return defaults[objectMode ? 1 : 0];
}

function setDefaultHighWaterMark(objectMode, value) {
  validateInteger(value, 'value', 0);
  defaults[objectMode ? 1 : 0] = value;
}

/// What the options say, or undefined. `ownName` is the option of one side of a duplex stream, or null.
function markIn(options, ownName) {
  const given = options.highWaterMark ?? (ownName === null ? undefined : options[ownName]);
  if (given == null || (Number.isInteger(given) && given >= 0)) return given;
  throw new ERR_INVALID_ARG_VALUE(`options.${ownName ?? 'highWaterMark'}`, given);
}

module.exports = { getDefaultHighWaterMark, setDefaultHighWaterMark, markIn };
