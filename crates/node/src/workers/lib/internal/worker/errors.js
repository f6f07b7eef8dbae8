// An error on its way from a worker to its parent: with all its properties, and of its class the nearest
// of the language.
'use strict';

const classes = { __proto__: null, Error, RangeError, ReferenceError, SyntaxError, TypeError, URIError, EvalError };

function isCloneable(value) {
  try {
    require('internal/structured_clone').cloneAndTransfer(value, []);
    return true;
  } catch {
    return false;
  }
}

// One that came from a worker's worker was made without the constructor.
const isError = (value) => value instanceof Error || require('internal/util/types').isNativeError(value);

function classOf(error) {
  for (let prototype = Object.getPrototypeOf(error); prototype !== null; prototype = Object.getPrototypeOf(prototype)) {
    const { constructor } = prototype;
    if (typeof constructor === 'function' && classes[constructor.name] === constructor) return constructor.name;
  }
  return 'Error';
}

/// What the parent is told.
function pack(error) {
  if (isError(error)) {
    const properties = [];
    for (const key of new Set(['name', 'message', 'stack', ...Object.getOwnPropertyNames(error)])) {
      let value;
      try {
        value = error[key];
      } catch {
        continue;
      }
      // One whose stack could not be made has none.
      if (key === 'stack' && value === null) continue;
      // A name is often on the prototype, and the stack of an error that nobody has looked at is nowhere.
      const enumerable = Object.getOwnPropertyDescriptor(error, key)?.enumerable ?? false;
      if (key === 'cause' && isError(value)) properties.push([key, enumerable, pack(value)]);
      else if (isCloneable(value)) properties.push([key, enumerable, { kind: 'value', value }]);
    }
    return { kind: 'error', name: classOf(error), properties };
  }
  if (typeof error === 'symbol') return { kind: 'symbol', text: error.description };
  if (isCloneable(error)) return { kind: 'value', value: error };
  return { kind: 'value', value: require('internal/util/inspect').inspect(error) };
}

/// The error again.
function unpack({ kind, name, properties, text, value }) {
  if (kind === 'value') return value;
  if (kind === 'symbol') return Symbol(text);
  const error = Object.create(classes[name].prototype);
  // One that could not be read is not there, either.
  Object.defineProperty(error, 'stack', { __proto__: null, value: undefined, enumerable: false, writable: true, configurable: true });
  for (const [key, enumerable, packed] of properties) {
    Object.defineProperty(error, key, { __proto__: null, value: unpack(packed), enumerable, writable: true, configurable: true });
  }
  Object.defineProperty(error, Symbol.toStringTag, { __proto__: null, value: 'Error', configurable: true });
  return error;
}

module.exports = { pack, unpack };
