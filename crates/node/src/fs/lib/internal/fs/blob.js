// A file as a Blob.
'use strict';

const { prepare } = require('internal/fs/read_file');
const { toPath } = require('internal/fs/arguments');
const { validateObject, validateString } = require('internal/validators');

exports.openAsBlob = (path, options = {}) => {
  validateObject(options, 'options');
  const type = options.type || '';
  validateString(type, 'options.type');
  const { Blob } = require('internal/blob');
  const call = prepare(toPath(path));
  let bytes;
  try {
    bytes = call.perform();
  } catch (cause) {
    if (cause.errno === undefined) throw cause;
    throw Object.assign(new TypeError('Unable to open file as blob'), { code: 'ERR_INVALID_ARG_VALUE' });
  }
  return Promise.resolve(new Blob([bytes], { type }));
};
