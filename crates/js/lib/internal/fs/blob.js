// A file as a Blob.
'use strict';

const calls = require('internal/fs/calls');
const { validateObject, validateString } = require('internal/validators');

exports.openAsBlob = (path, options = {}) => {
  validateObject(options, 'options');
  const type = options.type || '';
  validateString(type, 'options.type');
  const { Blob } = require('internal/blob');
  return new Promise((resolve) => resolve(new Blob([calls.readFile[2](path).perform()], { type })));
};
