// Bytes as the functions of crypto take them.
'use strict';

const { isAnyArrayBuffer } = require('internal/util/types');

/// The bytes of a view or a buffer, not copied; undefined for anything else.
exports.asBytes = function asBytes(value) {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return isAnyArrayBuffer(value) ? new Uint8Array(value) : undefined;
};
