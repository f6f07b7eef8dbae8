// How programs begin seldom: as a text that no file has, with flags, with hooks or in a test run; and what is said of
// a program that ends before it has begun.
// Uses binding.entry, evaluate, fileUrl, findMain, importText, prepareScript, topLevelAwaits, writeStderr.
'use strict';

const modules = require('internal/modules');
const main = require('internal/modules/main');

const { Module } = modules;

/// A program that is an ES module, and failed.
exports.fail = function fail(error, url) {
  explainGlobal(error, url);
  require('internal/uncaught').handle(error, 'unhandledRejection');
};

// A name that only CommonJS modules have, in an ES module.
function explainGlobal(error, url) {
  if (!(error instanceof ReferenceError)) return;
  const [, name] = /^(require|exports|module|__filename|__dirname) is not defined$/.exec(error.message) ?? [];
  if (name === undefined) return;
  error.message = require('internal/modules/failure').inEsModule(name, url);
}

/// Begins with what flags ask to be loaded before, or does what they ask for instead.
exports.runWithFlags = function runWithFlags(begin, start) {
  if (!binding.entry.isWorker && runInstead()) return;
  const preload = require('internal/modules/preload');
  if (preload.isWanted()) preload.run(begin, start);
  else begin();
};

// Does what flags ask for in the place of the program, if they ask for such a thing: it runs in other processes then.
function runInstead() {
  const { isOn, valueOf } = require('internal/flags');
  if (isOn('--watch') || valueOf('--watch-path') !== undefined) {
    require('internal/watch/parent').run();
    return true;
  }
  if (isOn('--watch-preserve-output') && binding.env.WATCH_REPORT_DEPENDENCIES !== undefined) require('internal/watch/child').start();
  if (!isOn('--test')) return false;
  require('internal/test/runner').main().catch((error) => require('internal/uncaught').handle(error));
  return true;
}

/// Loads a file that a test run needs, and waits until it is there. What was loaded before may have changed how.
exports.load = async function load(name, isFirst) {
  const prepared = main.prepared();
  const { url, main: run } = isFirst && prepared !== undefined ? prepared : main.find(name);
  if (prepared !== undefined) require('internal/suite/resolve').resume();
  if (run === undefined) await import(url);
  else run();
};

/// Hooks may know a file that is not there.
exports.runHooked = function runHooked(name, start) {
  const file = require('path').resolve(binding.cwd, name);
  const url = binding.fileUrl(binding.findMain(file, Object.keys(Module._extensions)) ?? file);
  require('internal/modules/hooks').begin(url);
  start(url, import(url));
};

/// Gives a text without a file what the function of a CommonJS module has, and the library's modules, as globals.
exports.expose = function expose(name) {
  const module = new Module(name);
  module.filename = `${binding.cwd}/${name}`;
  module.paths = Module._nodeModulePaths(binding.cwd);
  const given = { __filename: name, __dirname: '.', module, exports: module.exports, require: modules.makeRequire(module) };
  Object.assign(globalThis, given);
  // In Node, too, `crypto` is the module in a text on the command line, and Web Crypto everywhere else.
  require('internal/modules/builtins').expose(name === '[eval]' ? 'crypto' : undefined);
};

/// Runs a text that no file has.
exports.runText = function runText(start, text, name, type) {
  const script = type === 'module' ? undefined : binding.prepareScript(text, name, type);
  const { isPrinted } = binding.entry;
  if (script === undefined) {
    if (isPrinted) throw new (require('internal/errors').codes.ERR_EVAL_ESM_CANNOT_PRINT)();
    const url = `${binding.fileUrl(binding.cwd)}/[eval1]`;
    start(url, Promise.resolve().then(() => binding.importText(text, url)));
    return;
  }
  exports.expose(name);
  const [code, context, access] = script;
  require('internal/modules/given').give(context, access);
  const value = binding.evaluate(code, name);
  if (isPrinted) require('console').log(value);
};

/// Tells of a program that still waits at its top level, where nothing will come.
exports.tellUnsettled = function tellUnsettled(url) {
  // Which of several it is that waits is not known.
  const [file, line, column, ...others] = binding.topLevelAwaits(url);
  const place = others.length > 0 || file === undefined ? `${url}\n` :
    require('internal/stack/frames').excerpt({ file, line, column, length: 1 }, false);
  binding.writeStderr(`Warning: Detected unsettled top-level await at ${place}\n\n`);
};
