// The program's entry: a file, or a text that no file has.
// What programs seldom begin with is in `internal/modules/entry`.
// Uses binding.entry, fileFormat, fileUrl, findMain, flags, hooked, loadModule, scopeOf, testSettings.
'use strict';

const process = require('internal/process');
const modules = require('internal/modules');

const { Module } = modules;
const entry = () => require('internal/modules/entry');

// Set while the program's own ES module is being evaluated: what it goes by.
let pending;

exports.isStarting = (url) => url === pending;

// Like Node, evaluates an ES module from a promise job: its ticks come after the promises' jobs.
function start(name, evaluated) {
  pending = name;
  const done = () => { pending = undefined; };
  evaluated.then(done, (error) => {
    done();
    entry().fail(error, name);
  });
}

exports.run = function run() {
  if (binding.entry.isWorker) {
    require('internal/worker/child').prepare();
    const { hooks } = binding.workerState;
    if (hooks !== undefined) {
      require('internal/modules/hooks/thread').run(hooks);
      return;
    }
  }
  if (binding.flags.length === 0) begin();
  else entry().runWithFlags(begin, start);
};

function begin() {
  const { file, isPrompt, isWorker, text, name, type } = binding.entry;
  // Most programs have no flags, and do not load what reads them.
  const flags = binding.flags.length > 0 ? require('internal/flags') : undefined;
  if (flags?.isOn('--check')) require('internal/modules/check').check(findFile);
  else if (!isWorker && binding.testSettings() !== undefined) require('internal/suite/main').run(file[0] === '/' ? file : require('path').resolve(binding.cwd, file));
  else if (isPrompt) require('internal/repl/prompt').run(entry().expose);
  else if (text === undefined) (Module.runMain ?? runFile)(file);
  else entry().runText(start, text, name, (type === 'detect' && flags?.valueOf('--experimental-default-type')) || type);
}

// What was made ready of the program before it runs, if anything was.
let prepared;

// Does all that comes before the first line of a program that is a file, and is the same every time. Whoever
// runs a program many times has this done once.
exports.prepare = function prepare() {
  const { file, text } = binding.entry;
  // What is loaded before the program may change how it is loaded.
  const isSimple = !binding.flags.some((flag) => /^--(?:require|import|check|experimental-loader|watch)\b|^--test$/.test(flag));
  if (!isSimple) return;
  // What is loaded before a test file may, too.
  const isFirst = binding.testSettings() === undefined || require('internal/suite/main').prepare();
  if (text !== undefined || file.startsWith('data:')) return;
  prepared = find(file);
  if (prepared.main === undefined && isFirst) binding.loadModule(prepared.url);
};

// The file that a name means.
function findFile(name) {
  const file = name[0] === '/' ? name : `${binding.cwd}/${name}`;
  const found = binding.findMain(file, Object.keys(Module._extensions));
  if (found === undefined) throw require('internal/modules/failure').notFound(require('path').resolve(file), []);
  return found;
}

/// The URL of a file, and what runs it unless it is an ES module.
function find(name) {
  const found = findFile(name);
  const url = binding.fileUrl(found);
  const format = binding.fileFormat(found);
  // What a package of ES modules has under an extension of its own is none that anybody knows.
  const isModule = format === 'module' || (format === undefined && binding.scopeOf(url) !== undefined);
  return { url, main: isModule ? undefined : modules.prepareMain(found) };
}

/// What was made ready of the program before it runs, if anything was.
exports.prepared = () => prepared;
exports.find = find;

function runFile(name) {
  if (name.startsWith('data:')) {
    start(name, import(name));
    return;
  }
  if (binding.hooked !== undefined) {
    entry().runHooked(name, start);
    return;
  }
  const { url, main } = prepared ?? find(name);
  if (main === undefined) start(url, import(url));
  else main();
}

/// What runs the program's file, unless something that was loaded before has replaced it in `Module`.
exports.runMain = function executeUserEntryPoint(main = process.argv[1]) {
  runFile(main);
};

// Called when nothing is left to do: a program that still waits at its top level waits for ever.
exports.finish = function finish() {
  if (pending === undefined || process.exitCode !== undefined) return;
  process.exitCode = 13;
  if (!require('internal/flags').isOn('--no-warnings')) entry().tellUnsettled(pending);
};
