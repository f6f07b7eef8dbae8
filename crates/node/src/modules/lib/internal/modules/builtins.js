// The names of the builtin modules that programs may ask for.
// Uses binding.libraryNames, builtinName.
'use strict';

// In the order of names; those that need the prefix `node:` are left out.
exports.names = binding.libraryNames().filter((name) => binding.builtinName(name) !== undefined);

/// Makes them globals, each loaded when it is first asked for; of what there is already, only `replaced`.
exports.expose = function expose(replaced) {
  const { builtin } = require('internal/modules');
  for (const library of exports.names) {
    const enumerable = library in globalThis;
    if (!/^\w+$/.test(library) || (enumerable && library !== replaced)) continue;
    const define = (value) => Object.defineProperty(globalThis, library, { __proto__: null, configurable: true, enumerable, writable: true, value });
    Object.defineProperty(globalThis, library, {
      __proto__: null,
      configurable: true,
      enumerable,
      get: () => { const value = builtin(`node:${library}`); define(value); return value; },
      set: define,
    });
  }
};
