// node:module.
'use strict';

const { Module, makeRequire } = require('internal/modules');

Module.isBuiltin = function isBuiltin(name) {
  return typeof name === 'string' && binding.builtinName(name) !== undefined;
};

Module.createRequire = function createRequire(filename) {
  const { URL, isURL, fileURLToPath } = require('internal/url');
  const isText = typeof filename === 'string';
  let file = filename;
  if (isURL(filename) || (isText && filename[0] !== '/')) {
    try {
      file = fileURLToPath(isText ? new URL(filename) : filename);
    } catch {
      file = undefined;
    }
  }
  if (typeof file !== 'string') {
    const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_VALUE('filename', filename, 'must be a file URL object, file URL string, or absolute path string');
  }
  // A directory stands for a file in it.
  const path = file.endsWith('/') ? `${file}noop.js` : file;
  const module = new Module(path);
  module.filename = path;
  module.paths = Module._nodeModulePaths(module.path);
  return makeRequire(module);
};

require('internal/modules/wrapping').expose();

/// 0 for a file, 1 for a directory, and less than 0 if there is neither.
let stat = (path) => {
  try {
    return require('fs').statSync(path).isDirectory() ? 1 : 0;
  } catch ({ errno }) {
    return errno ?? -1;
  }
};
Object.defineProperty(Module, '_stat', {
  __proto__: null,
  configurable: true,
  enumerable: false,
  get: () => stat,
  set(value) {
    require('internal/process').emitWarning('Module._stat is an experimental feature and might change at any time', 'ExperimentalWarning');
    stat = value;
  },
});

Module._preloadModules = function _preloadModules(requests) {};
Module.syncBuiltinESMExports = function syncBuiltinESMExports() {
  require('internal/modules/interop').syncBuiltins();
};
Module.findSourceMap = function findSourceMap(sourceURL) {
  return require('internal/source_maps').find(sourceURL);
};
Module.register = function register(specifier, parentURL = undefined, options = undefined) {
  const { isURL } = require('internal/url');
  const isGiven = typeof parentURL === 'object' && parentURL !== null && !isURL(parentURL);
  const { parentURL: parent, data, transferList } = (isGiven ? parentURL : options) ?? {};
  require('internal/modules/hooks').register(`${specifier}`, `${(isGiven ? parent : parentURL) ?? 'data:'}`, data, transferList);
};
Object.defineProperty(Module, 'SourceMap', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: () => require('internal/source_map').SourceMap,
  // Whoever copies all that is here to a class below it, as jest does, sets it there.
  set(value) {
    Object.defineProperty(this, 'SourceMap', { __proto__: null, configurable: true, enumerable: true, value, writable: true });
  },
});
Module.runMain = require('internal/modules/main').runMain;
Module.builtinModules = Object.freeze([...require('internal/modules/builtins').names]);

module.exports = Module;
