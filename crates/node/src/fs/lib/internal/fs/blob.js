// A file as a Blob.
'use strict';

const { prepare } = require('internal/fs/read_file');
const { toPath } = require('internal/fs/arguments');
const calls = require('internal/fs/calls');
const { validateObject, validateString } = require('internal/validators');

/// What tells a file from another, and from itself after a change.
function look(path) {
  const { dev, ino, size, mtimeNs } = calls.stat[2](toPath(path), { bigint: true }).perform();
  return [dev, ino, size, mtimeNs];
}

exports.openAsBlob = (path, options = {}) => {
  validateObject(options, 'options');
  const type = options.type || '';
  validateString(type, 'options.type');
  const { fileBlob } = require('internal/blob');
  const call = prepare(toPath(path));
  let bytes;
  let seen;
  try {
    bytes = call.perform();
    seen = look(path);
  } catch (cause) {
    if (cause.errno === undefined) throw cause;
    throw Object.assign(new TypeError('Unable to open file as blob'), { code: 'ERR_INVALID_ARG_VALUE' });
  }
  const isThere = () => {
    try {
      return look(path).every((value, at) => value === seen[at]);
    } catch {
      return false;
    }
  };
  return Promise.resolve(fileBlob(bytes, type, isThere));
};
