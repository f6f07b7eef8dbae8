// Modules in another form, as ES modules see them.
// Uses binding of `internal/modules`.
'use strict';

const { Module, builtin, loadFile } = require('internal/modules');

// Data that was imported, by URL.
const parsed = { __proto__: null };

// What sets the exports of builtins that were imported, by URL, and their names.
const setters = new Map();

exports.keepSetter = function keepSetter(url, names, set) {
  setters.set(url, { names, set });
};

/// Lets importers of builtins see what the program has put in the place of their parts.
exports.syncBuiltins = function syncBuiltins() {
  for (const [url, { names, set }] of setters) {
    const exported = builtin(url);
    for (const name of names) set(name, exports.readOwn(exported, name));
  }
};

exports.builtinNames = (url) => Object.keys(Object(builtin(url)));

exports.parseJson = function parseJson(url, file, text) {
  // With a query it is another module, which no `require` can ask for.
  const path = /[?#]/.test(url) ? undefined : file;
  const known = path === undefined ? undefined : Module._cache[path];
  if (known?.loaded) {
    parsed[url] = known.exports;
    return;
  }
  const value = require('internal/modules/json').parse(text, file ?? url);
  parsed[url] = value;
  if (path === undefined) return;
  // `require` gives the same object.
  const module = new Module(path);
  module.filename = path;
  module.paths = [];
  module.exports = value;
  module.loaded = true;
  Module._cache[path] = module;
};

exports.evaluate = function evaluate(format, url, path) {
  if (format === 'builtin') return builtin(url);
  if (format === 'json') return parsed[url];
  return (binding.hooked?.evaluate(url, path) ?? loadFile(path, undefined, false)).exports;
};

// What `default` is of a mock: what it says, or else the whole.
exports.defaultOf = (mock) => (mock !== null && typeof mock === 'object' && Object.hasOwn(mock, 'default') ? mock.default : mock);

// What a name is to whom a compiler has made `require` of an import: a whole that is no ES module is the default.
exports.take = function take(whole, name) {
  try {
    return name === 'default' && !whole?.__esModule ? whole : whole?.[name];
  } catch {
    return undefined;
  }
};

exports.readOwn = function readOwn(object, name) {
  try {
    return Object.hasOwn(object, name) ? object[name] : undefined;
  } catch {
    return undefined;
  }
};
