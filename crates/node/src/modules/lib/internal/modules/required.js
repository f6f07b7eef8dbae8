// ES modules that CommonJS modules require.
// Uses binding.compileFunction, fileUrl, readModule, requireModule, scopeOf, topLevelAwaits, writeStderr.
'use strict';

const { Module, kParent, requiresModules, requiring } = require('internal/modules');

/// Who is in a circle with whom, of a module and who has required it first.
exports.cycle = function cycle(filename, parent) {
  return `Cannot require() ES Module ${filename} in a cycle.${parent ? ` (from ${parent.filename})` : ''}`;
};

/// An ES module that is required: its namespace, now.
exports.load = function load(module, filename) {
  if (!requiresModules()) {
    const { codes: { ERR_REQUIRE_ESM } } = require('internal/errors');
    const scope = filename.endsWith('.js') ? binding.scopeOf(binding.fileUrl(filename)) : undefined;
    const hasSyntax = scope !== undefined && binding.compileFunction(binding.readModule(filename), filename, 'detect') === undefined;
    throw new ERR_REQUIRE_ESM(filename, hasSyntax, module[kParent]?.filename ?? undefined, scope);
  }
  report(module[kParent], filename);
  requiring.add(module);
  try {
    requireModule(module, filename);
  } finally {
    requiring.delete(module);
  }
};

// Tells of the first of them, with `--trace-require-module`.
let isReported = false;
function report(parent, filename) {
  if (isReported) return;
  const which = require('internal/flags').valueOf('--trace-require-module');
  const isOfPackage = typeof parent?.filename === 'string' && parent.filename.includes('/node_modules/');
  if (which === undefined || (which === 'no-node-modules' && isOfPackage)) return;
  isReported = true;
  const who = parent?.id === 'internal/preload' ? '--require' : `CommonJS module ${parent?.filename ?? parent?.id}`;
  const warning = `${who} is loading ES Module ${filename} using require().\n` +
    'Support for loading ES Module in require() is an experimental feature and might change at any time';
  require('internal/process').emitWarning(warning, 'ExperimentalWarning');
}

// Where the modules of a graph wait.
function showAwaits(url) {
  const { excerpt } = require('internal/stack/frames');
  const places = binding.topLevelAwaits(url);
  for (let at = 0; at < places.length; at += 3) {
    const [file, line, column] = places.slice(at, at + 3);
    binding.writeStderr(`Error: unexpected top-level await at ${excerpt({ file, line, column, length: 1 }, false)}\n\n\n`);
  }
}

function requireModule(module, filename) {
  const evaluating = require('internal/stack/noting').evaluatingModules();
  const loading = Object.keys(Module._cache).filter((file) => file !== filename && !Module._cache[file].loaded);
  const url = binding.fileUrl(filename);
  let namespace;
  try {
    namespace = binding.requireModule(url, module[kParent]?.filename ?? undefined, evaluating, loading);
  } catch (error) {
    if (error?.code === 'ERR_REQUIRE_ASYNC_MODULE' && require('internal/flags').isOn('--experimental-print-required-tla')) showAwaits(url);
    throw error;
  }
  module.exports = Object.hasOwn(namespace, 'module.exports') ? namespace['module.exports'] : namespace;
}
