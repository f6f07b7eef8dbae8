// The names of the builtin modules that programs may ask for.
// Uses binding.libraryNames, builtinName.
'use strict';

// In the order of names; those that need the prefix `node:` are left out.
exports.names = binding.libraryNames().filter((name) => binding.builtinName(name) !== undefined);
