// What is loaded before the program: `--require`, then `--import`.
// Uses binding.cwd, fileUrl, importText.
'use strict';

const { Module } = require('internal/modules');
const { valuesOf } = require('internal/flags');

exports.isWanted = () => valuesOf('--require').length > 0 || valuesOf('--import').length > 0;

// The module that asks for what is required: in the current directory, and without a file.
function requireAll(names) {
  const parent = new Module('internal/preload', null);
  parent.paths = Module._nodeModulePaths(binding.cwd);
  const { get } = Object.getOwnPropertyDescriptor(Module.prototype, 'isPreloading');
  const tell = (get) => Object.defineProperty(Module.prototype, 'isPreloading', { __proto__: null, configurable: true, enumerable: false, get });
  tell(() => true);
  try {
    for (const name of names) parent.require(name);
  } finally {
    tell(get);
  }
}

/// Loads all of it, then calls `begin`. `start` watches over what takes its time.
exports.run = function run(begin, start) {
  requireAll(valuesOf('--require'));
  const imports = valuesOf('--import');
  if (imports.length === 0) {
    begin();
    return;
  }
  const text = imports.map((name) => `await import(${JSON.stringify(name)});`).join('\n');
  const url = `${binding.fileUrl(binding.cwd)}/[preload]`;
  const loaded = Promise.resolve().then(() => binding.importText(text, url));
  start(url, loaded);
  loaded.then(() => {
    try {
      begin();
    } catch (error) {
      require('internal/uncaught').handle(error, 'unhandledRejection');
    }
  }, () => {});
};
