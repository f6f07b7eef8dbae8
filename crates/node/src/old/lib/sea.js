// node:sea: whether the program is one file with its runtime. It is not.
'use strict';

const { codes: { ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION } } = require('internal/errors');
const { validateString } = require('internal/validators');

function refuse(key, encoding) {
  validateString(key, 'key');
  if (encoding !== undefined) validateString(encoding, 'encoding');
  throw new ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION();
}

module.exports = {
  isSea: function isSea() { return false; },
  getAsset: function getAsset(key, encoding) { refuse(key, encoding); },
  getRawAsset: function getRawAsset(key) { refuse(key); },
  getAssetAsBlob: function getAssetAsBlob(key, options) { refuse(key); },
};
