// util.deprecate.
//
// From the binding: emitWarning(message, type, code); noDeprecation(), optional: whether the program
// was started with such warnings off.
'use strict';

const { validateString } = require('internal/validators');

const warnedCodes = new Set();

// Warns at the first call, and of several functions with one code only for the first of them.
// The last parameter is Node's; here all warnings are emitted alike.
function deprecate(fn, message, code, useEmitSync) {
  if (binding.noDeprecation?.()) return fn;
  if (code !== undefined) validateString(code, 'code');
  let warn = () => {
    warn = undefined;
    if (warnedCodes.has(code)) return;
    if (code !== undefined) warnedCodes.add(code);
    binding.emitWarning(message, 'DeprecationWarning', code);
  };
  function deprecated(...args) {
    warn?.();
    return new.target === undefined ? Reflect.apply(fn, this, args) : Reflect.construct(fn, args, new.target);
  }
  return standInFor(fn, deprecated);
}

/// Gives a function the prototype of another one, and lets its properties, such as static methods, be found.
function standInFor(fn, other) {
  if (fn.prototype) other.prototype = fn.prototype;
  return Object.setPrototypeOf(other, fn);
}

module.exports = { deprecate };
