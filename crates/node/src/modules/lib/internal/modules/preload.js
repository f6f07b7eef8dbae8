// What is loaded before the program: `--require`, then `--loader`, then `--import`.
// Uses binding.cwd, fileUrl, importText.
'use strict';

const { Module } = require('internal/modules');
const { valuesOf } = require('internal/flags');

exports.isWanted = () => ['--require', '--import', '--experimental-loader'].some((name) => valuesOf(name).length > 0);

// Hooks that the command line names, from the current directory.
function registerAll(names) {
  if (names.length === 0) return;
  require('internal/process').emitWarning(
    '`--experimental-loader` may be removed in the future; instead use `register()` of node:module in what `--import` loads', 'ExperimentalWarning');
  const { register } = require('internal/modules/hooks');
  for (const name of names) register(name, `${binding.fileUrl(binding.cwd)}/`);
}

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
  registerAll(valuesOf('--experimental-loader'));
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
