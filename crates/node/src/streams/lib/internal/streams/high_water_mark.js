// How much a stream holds before it asks to wait.
'use strict';

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateInteger } = require('internal/validators');

let forBytes = 16 * 1024;
let forObjects = 16;

function getDefaultHighWaterMark(objectMode) {
  return objectMode ? forObjects : forBytes;
}

function setDefaultHighWaterMark(objectMode, value) {
  validateInteger(value, 'value', 0);
  if (objectMode) forObjects = value;
  else forBytes = value;
}

/// The mark that the options ask for. A duplex stream may have one for each side, under `sideKey`.
function highWaterMarkOf(objectMode, options, sideKey, isDuplex) {
  const asked = options?.highWaterMark ?? (isDuplex ? options?.[sideKey] : null);
  if (asked == null) return getDefaultHighWaterMark(objectMode);
  if (!Number.isInteger(asked) || asked < 0) {
    throw new ERR_INVALID_ARG_VALUE(isDuplex ? `options.${sideKey}` : 'options.highWaterMark', asked);
  }
  return asked;
}

module.exports = { getDefaultHighWaterMark, setDefaultHighWaterMark, highWaterMarkOf };
