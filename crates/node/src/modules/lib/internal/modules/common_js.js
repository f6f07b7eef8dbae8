// What a CommonJS module has, for ES modules that TypeScript's compiler would have made CommonJS modules of.
'use strict';

const { Module, becomeMain, dirname, makeRequire } = require('internal/modules');
const process = require('internal/process');

// By name. The module says who it is, and nothing that is put into it is exported: that fails.
exports.namesOf = function namesOf(url) {
  const filename = require('internal/url').fileURLToPath(url);
  const module = new Module(filename, null);
  module.filename = filename;
  module.paths = Module._nodeModulePaths(dirname(filename));
  if (process.mainModule === undefined && process.argv[1] === filename) becomeMain(module);
  Object.freeze(module.exports);
  Object.defineProperty(module, 'exports', { __proto__: null, value: module.exports, writable: false });
  return { __proto__: null, exports: module.exports, require: makeRequire(module), module, __filename: filename, __dirname: dirname(filename) };
};
