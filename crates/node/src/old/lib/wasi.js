// node:wasi. There is no WebAssembly yet, so nothing could run in it; whoever only looks finds the class.
'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } } = require('internal/errors');
const { validateObject, validateString } = require('internal/validators');

exports.WASI = class WASI {
  constructor(options = {}) {
    validateObject(options, 'options');
    validateString(options.version, 'options.version');
    throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('wasi.WASI');
  }

  start(instance) {}

  initialize(instance) {}

  getImportObject() {}
};
