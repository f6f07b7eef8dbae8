// The program's entry: a file, or a text that no file has.
// Uses binding.entry, evaluate, fileFormat, fileUrl, findMain, flags, hooked, importText, loadModule, prepareScript,
// scopeOf, testSettings, topLevelAwaits, writeStderr.
'use strict';

const process = require('internal/process');
const modules = require('internal/modules');

const { Module } = modules;

// Set while the program's own ES module is being evaluated: what it goes by.
let pending;

// Like Node, evaluates an ES module from a promise job: its ticks come after the promises' jobs.
function start(name, evaluated) {
  pending = name;
  const done = () => { pending = undefined; };
  evaluated.then(done, (error) => {
    done();
    explainGlobal(error, name);
    require('internal/uncaught').handle(error, 'unhandledRejection');
  });
}

// A name that only CommonJS modules have, in an ES module.
function explainGlobal(error, url) {
  if (!(error instanceof ReferenceError)) return;
  const [, name] = /^(require|exports|module|__filename|__dirname) is not defined$/.exec(error.message) ?? [];
  if (name === undefined) return;
  error.message += ` in ES module scope${name === 'require' ? ', you can use import instead' : ''}`;
  const scope = url.endsWith('.js') ? binding.scopeOf(url) : undefined;
  if (scope !== undefined) {
    error.message += `\nThis file is being treated as an ES module because it has a '.js' file extension and '${scope}' contains "type": "module". ` +
      "To treat it as a CommonJS script, rename it to use the '.cjs' file extension.";
  }
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
  else if (binding.entry.isWorker || !runInstead()) beginWithFlags();
};

function beginWithFlags() {
  const preload = require('internal/modules/preload');
  if (preload.isWanted()) preload.run(begin, start);
  else begin();
}

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

function begin() {
  const { file, isPrompt, isWorker, text, name, type } = binding.entry;
  // Most programs have no flags, and do not load what reads them.
  const flags = binding.flags.length > 0 ? require('internal/flags') : undefined;
  if (flags?.isOn('--check')) require('internal/modules/check').check(findFile);
  else if (!isWorker && binding.testSettings() !== undefined) require('internal/suite/main').run(file[0] === '/' ? file : require('path').resolve(binding.cwd, file));
  else if (isPrompt) require('internal/repl/prompt').run(expose);
  else if (text === undefined) (Module.runMain ?? runFile)(file);
  else runText(text, name, type === 'detect' && flags?.valueOf('--experimental-default-type') === 'module' ? 'module' : type);
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

// The URL of a file, and what runs it unless it is an ES module.
function find(name) {
  const found = findFile(name);
  const url = binding.fileUrl(found);
  return { url, main: binding.fileFormat(found) === 'module' ? undefined : modules.prepareMain(found) };
}

/// Loads a file that a test run needs, and waits until it is there. What was loaded before may have changed how.
exports.load = async function load(name, isFirst) {
  const { url, main } = isFirst && prepared !== undefined ? prepared : find(name);
  if (prepared !== undefined) require('internal/suite/resolve').resume();
  if (main === undefined) await import(url);
  else main();
};

function runFile(name) {
  if (name.startsWith('data:')) {
    start(name, import(name));
    return;
  }
  if (binding.hooked !== undefined) {
    runHooked(name);
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

// Hooks may know a file that is not there.
function runHooked(name) {
  const file = require('path').resolve(binding.cwd, name);
  const url = binding.fileUrl(binding.findMain(file, Object.keys(Module._extensions)) ?? file);
  require('internal/modules/hooks').begin(url);
  start(url, import(url));
}

/// Gives a text without a file what the function of a CommonJS module has, and the library's modules, as globals.
function expose(name) {
  const module = new Module(name);
  module.filename = `${binding.cwd}/${name}`;
  module.paths = Module._nodeModulePaths(binding.cwd);
  const given = { __filename: name, __dirname: '.', module, exports: module.exports, require: modules.makeRequire(module) };
  Object.assign(globalThis, given);
  for (const library of require('internal/modules/builtins').names) {
    if (!/^\w+$/.test(library) || library in globalThis) continue;
    const define = (value) => Object.defineProperty(globalThis, library, { __proto__: null, configurable: true, enumerable: false, writable: true, value });
    Object.defineProperty(globalThis, library, {
      __proto__: null,
      configurable: true,
      enumerable: false,
      get: () => { const value = modules.builtin(`node:${library}`); define(value); return value; },
      set: define,
    });
  }
}

function runText(text, name, type) {
  const script = type === 'module' ? undefined : binding.prepareScript(text, name, type);
  if (script === undefined) {
    const url = `${binding.fileUrl(binding.cwd)}/[eval1]`;
    start(url, Promise.resolve().then(() => binding.importText(text, url)));
    return;
  }
  expose(name);
  const [code, context, access] = script;
  const give = (name, part) => Object.defineProperty(globalThis, name, { __proto__: null, configurable: true, value: require(part) });
  if (context !== undefined) give(context, 'internal/context');
  if (access !== undefined) give(access, 'internal/access');
  binding.evaluate(code, name);
}

// Called when nothing is left to do: a program that still waits at its top level waits for ever.
exports.finish = function finish() {
  if (pending === undefined || process.exitCode !== undefined) return;
  process.exitCode = 13;
  // Which of several it is that waits is not known.
  const [file, line, column, ...others] = binding.topLevelAwaits(pending);
  const place = others.length > 0 || file === undefined ? `${pending}\n` :
    require('internal/stack/frames').excerpt({ file, line, column, length: 1 }, false);
  binding.writeStderr(`Warning: Detected unsettled top-level await at ${place}\n\n`);
};
