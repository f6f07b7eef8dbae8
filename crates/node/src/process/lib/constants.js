// node:constants: for programs that still ask for numbers here. Their homes are os, fs and crypto.
'use strict';

module.exports = Object.freeze({ ...require('internal/numbers'), ...require('crypto').constants });
