// node:wasi. There is no WebAssembly yet, so nothing could run in it; whoever only looks finds the class.
'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } } = require('internal/errors');
const { validateObject, validateString } = require('internal/validators');

exports.WASI = class WASI {
  constructor(options = {}) {
    validateObject(options, 'options');
    validateString(options.version, 'options.version');
    const error = new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('wasi.WASI');
    error.message = 'wasi.WASI is not there: Hemiola has no WebAssembly; run the module with a runtime of its own, by node:child_process';
    throw error;
  }

  start(instance) {}

  initialize(instance) {}

  getImportObject() {}
};
