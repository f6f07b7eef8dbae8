// util.deprecate.
//
// From the binding: emitWarning(message, type, code); noDeprecation(), optional: whether the program
// was started with such warnings off.
'use strict';

const { validateString } = require('internal/validators');

const warnedCodes = new Set();

// Warns at the first call, and of several functions with one code only for the first of them.
function deprecate(fn, message, code, useEmitSync) {
  if (binding.noDeprecation?.()) return fn;
  if (code !== undefined) validateString(code, 'code');
  let warned = false;

  function deprecated(...args) {
    if (!warned) {
      warned = true;
      if (code === undefined || !warnedCodes.has(code)) {
        binding.emitWarning(message, 'DeprecationWarning', code);
        if (code !== undefined) warnedCodes.add(code);
      }
    }
    return new.target ? Reflect.construct(fn, args, new.target) : Reflect.apply(fn, this, args);
  }

  // Static members are found on the original, and `instanceof` works with both.
  Object.setPrototypeOf(deprecated, fn);
  if (fn.prototype) deprecated.prototype = fn.prototype;
  return deprecated;
}

module.exports = { deprecate };
