// URL.createObjectURL: names for blobs, which buffer.resolveObjectURL looks up. From `binding`:
// randomUUID().
'use strict';

require('internal/crypto/natives');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');

const blobs = new Map();
const PREFIX = 'blob:nodedata:';

function createObjectURL(obj) {
  if (Object.prototype.toString.call(obj) !== '[object Blob]' && Object.prototype.toString.call(obj) !== '[object File]') {
    throw new ERR_INVALID_ARG_TYPE('obj', 'Blob', obj);
  }
  const id = binding.randomUUID();
  blobs.set(id, obj);
  return `${PREFIX}${id}`;
}

// A query and a fragment are no part of the name.
const idOf = (url) => (url.startsWith(PREFIX) ? /^[^?#]*/.exec(url.slice(PREFIX.length))[0] : null);

function revokeObjectURL(url) {
  blobs.delete(idOf(url));
}

function resolveObjectURL(url) {
  return blobs.get(idOf(`${url}`));
}

module.exports = { createObjectURL, resolveObjectURL, revokeObjectURL };
