// `reportError` of the web platform.
//
// Takes from `binding`:
//   reportException(error)  makes the error an uncaught exception, after the running callback
'use strict';

const { codes: { ERR_MISSING_ARGS } } = require('internal/errors');

/// An uncaught exception that does not end the function that it happens in.
function reportError(error) {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('error');
  binding.reportException(error);
}

module.exports = { reportError };
