// node:sys, the old name of node:util.
//
// From the binding: emitWarning(message, type, code).
'use strict';

binding.emitWarning('sys is deprecated. Use util instead.', 'DeprecationWarning', 'DEP0025');
module.exports = require('util');
